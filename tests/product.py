"""The whole product in a process of its own, as `make run` serves it, for tests that look from outside."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from django.conf import settings

from plancover_assist import embedded
from tests.architecture.source import ROOT

READY_SECONDS = 60
APPLICATION = "plancover_assist.asgi:application"
DAPHNE = ("daphne", "-b", "127.0.0.1", "-p", "{port}", APPLICATION)
UVICORN = ("uvicorn", "--host", "127.0.0.1", "--port", "{port}", APPLICATION)


@dataclass(frozen=True, slots=True)
class Product:
    """A running product. `url` has no slash at its end."""

    url: str
    port: int
    database_url: str

    def count(self, table: str) -> int:
        """Return the number of rows of one of our tables."""
        with psycopg.connect(self.database_url) as connection:
            row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own names
        assert row is not None
        return int(row[0])

    def exchange(self, request: str) -> str:
        """Send one HTTP/1.0 request, head and body, and return everything that comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request.replace("\n", "\r\n").encode())
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


@contextmanager
def serve(command: Sequence[str], servers: embedded.Endpoints, *, pace_ms: int) -> Iterator[Product]:
    """Prepare a database beside the suite's own and serve it; `pace_ms` is the offline model's, a word."""
    port = _free_port()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "plancover_assist.settings.base",
        "DATA_DIR": str(settings.DATA_DIR),
        "PORT": str(port),
        "LOCAL_MODEL_PACE_MS": str(pace_ms),
    }
    _run("plancover_assist.embedded.prepare", environment=environment).wait()
    process = _run(*(part.format(port=port) for part in command), environment=environment)
    product = Product(f"http://127.0.0.1:{port}", port, servers.database_url)
    try:
        _wait_until_ready(product)
        yield product
    finally:
        process.terminate()
        process.wait(timeout=60)


def _run(*module: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", *module]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def _wait_until_ready(product: Product) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while " 200 " not in _ask_ready(product):
        assert time.monotonic() < deadline, "the product did not get ready"
        time.sleep(0.1)


def _ask_ready(product: Product) -> str:
    try:
        return product.exchange("GET /readyz HTTP/1.0\nHost: 127.0.0.1\n\n")[:15]
    except OSError:
        return ""
