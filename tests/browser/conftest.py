"""The whole product as `make run` serves it, and the system's Chromium in front of it.

A missing Chromium is a failure: a page nobody has opened is not tested. Every page that a test opens must
stay free of errors in its console, violations of the content policy among them.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from plancover_assist import embedded
from tests.architecture.source import ROOT

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
READY_SECONDS = 60
PACE_MS = 30  # a word of the offline model: an answer lasts long enough to be reloaded, stopped and followed
QUESTION = "What is the cataract limit per eye?"


@dataclass(frozen=True, slots=True)
class Product:
    """A running product. `url` has no slash at its end."""

    url: str
    database_url: str

    def count(self, table: str) -> int:
        """Return the number of rows of one of our tables."""
        with psycopg.connect(self.database_url) as connection:
            row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own names
        assert row is not None
        return int(row[0])


@pytest.fixture(scope="session")
def product(servers: embedded.Endpoints) -> Iterator[Product]:
    """Prepare a database beside the suite's own and serve it with daphne."""
    port = _free_port()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "plancover_assist.settings.base",
        "DATA_DIR": str(settings.DATA_DIR),
        "PORT": str(port),
        "LOCAL_MODEL_PACE_MS": str(PACE_MS),
    }
    subprocess.run(
        [sys.executable, "-m", "plancover_assist.embedded.prepare"], cwd=ROOT, env=environment, check=True
    )
    command = [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(
        [*command, "plancover_assist.asgi:application"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_ready(port)
        yield Product(f"http://127.0.0.1:{port}", servers.database_url)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def _wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while b" 200 " not in _ask(port):
        assert time.monotonic() < deadline, "the product did not get ready"
        time.sleep(0.1)


def _ask(port: int) -> bytes:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            return connection.recv(64)
    except OSError:
        return b""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser a module: its driver keeps a loop running that async tests must not find."""
    if not CHROMIUM.exists():
        pytest.fail(f"There is no Chromium at {CHROMIUM}; install it, or name another in $CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


NewContext = Callable[..., BrowserContext]


@pytest.fixture
def complaints() -> list[str]:
    """What consoles said; a test that provokes something on purpose empties it."""
    return []


@pytest.fixture
def new_context(chromium: Browser, product: Product, complaints: list[str]) -> Iterator[NewContext]:
    """Make browsers of one person each; fails the test when a console complained."""
    contexts: list[BrowserContext] = []

    def make(width: int = 1280, **options: object) -> BrowserContext:
        viewport = {"width": width, "height": 800}
        context = chromium.new_context(base_url=product.url, viewport=viewport, **options)  # type: ignore[arg-type]  # options are passed on
        context.on("console", lambda message: _note(message, complaints))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type in {"error", "warning"}:
        complaints.append(message.text)


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A visitor's page on a wide screen."""
    return new_context().new_page()


def sign_in(page: Page, username: str = "member-a1") -> Page:
    page.goto("/accounts/login/")
    page.fill("[name=username]:not([type=hidden])", username)
    page.fill("#id_password", f"demo-{username}")
    page.click("form.panel button")
    page.wait_for_selector("#composer")
    page.wait_for_load_state()  # the script listens from then on
    return page


def ask(page: Page, text: str = QUESTION) -> None:
    page.fill("#question", text)
    page.press("#question", "Enter")


def wait_for_answer(page: Page) -> str:
    """Wait until the turn under way has ended and return the words of its answer."""
    page.wait_for_selector("#composer[data-state=idle]")
    answer = page.locator(".turn").last.locator(".assistant div.text")
    answer.wait_for()
    return answer.inner_text()
