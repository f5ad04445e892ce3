"""`make run`: the whole product in the foreground, from an empty folder to an address that answers.

Holds the servers, prepares the data, starts the web process, waits until it is ready, and stops everything
on Ctrl-C. It loads no Django itself: what needs it runs in a child.
"""

import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from plancover_assist import embedded
from plancover_assist.embedded.children import Child, start_child
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.folders import make_folders
from plancover_assist.embedded.layout import Layout
from plancover_assist.embedded.server import Server
from plancover_assist.identity.demo import DEMO_USERS

PROJECT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
READY_SECONDS = 120.0
REFUSED = b'"status": "refused"'  # in the body of /readyz: no waiting mends it
WATCH_SECONDS = 0.5
SETTINGS = "plancover_assist.settings.base"


@dataclass(frozen=True, slots=True)
class Options:
    """What the environment says: the port, the data folder, and whether the servers are somebody else's."""

    port: int
    data_dir: Path
    named_database: bool


def read_options() -> Options:
    """Read the environment and `.env`; raises `EmbeddedError` for a port that is none or is taken."""
    import environ

    environ.Env.read_env(PROJECT / ".env", overwrite=False)
    port = os.environ.get("PORT") or "8000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise EmbeddedError(f"PORT must be a number from 1 to 65535, not {port!r}.")
    _require_free(int(port))
    return Options(
        port=int(port),
        data_dir=PROJECT / (os.environ.get("DATA_DIR") or ".data"),
        named_database=bool(os.environ.get("DATABASE_URL")),
    )


def _require_free(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise EmbeddedError(
                f"Port {port} on {HOST} cannot be used ({error.strerror}): "
                f"stop what uses it, or choose another, as in PORT={port + 1} make run."
            ) from error


def serve(options: Options, servers: tuple[Server, ...]) -> None:
    """Prepare, start the web process and watch over everything until somebody interrupts us."""
    layout = Layout.of(options.data_dir)
    _say("Preparing the database, the demo and the index…")
    _prepare(layout)
    _say("Starting the web process…")
    web = _start_web(options.port, layout)
    try:
        wait_until_ready(web, options.port)
        _announce(options, layout)
        _watch(web, servers)
    finally:
        web.stop()


def _watch(web: Child, servers: tuple[Server, ...]) -> NoReturn:
    """Keep looking; raises `EmbeddedError` as soon as a part that the product needs has died."""
    while not web.ended():
        for server in servers:
            if not server.alive():
                _replace(server)
        time.sleep(WATCH_SECONDS)
    raise EmbeddedError(web.obituary())


def _replace(server: Server) -> None:
    """Start a server again that the product can do without for a moment; any other ends the run."""
    if server.vital:
        raise EmbeddedError(server.obituary())
    _say(f"{server.name} has ended; starting it again.")
    server.ensure()


def _prepare(layout: Layout) -> None:
    command = [sys.executable, "-m", "plancover_assist.embedded.prepare"]
    child = start_child(
        "Preparing", command, folder=PROJECT, log=layout.logs / "prepare.log", keeper=layout.keeper
    )
    try:
        if child.process.wait() != 0:
            raise EmbeddedError(child.obituary())
    finally:
        child.stop()


def _start_web(port: int, layout: Layout) -> Child:
    command = [
        sys.executable,
        "-m",
        "daphne",
        "-b",
        HOST,
        "-p",
        str(port),
        "plancover_assist.asgi:application",
    ]
    return start_child(
        "The web process", command, folder=PROJECT, log=layout.logs / "web.log", keeper=layout.keeper
    )


def wait_until_ready(web: Child, port: int) -> None:
    """Return once /readyz says so; raises `EmbeddedError` when it ended, refused, or took too long."""
    deadline = time.monotonic() + READY_SECONDS
    while (status := _status(answer := _ask_ready(port))) != "200":
        if web.ended():
            raise EmbeddedError(web.obituary())
        if REFUSED in answer:
            raise EmbeddedError(
                "The web process refuses to serve: the search index was made by another encoder than the one "
                f"loaded. Its log {web.log} names both; `manage.py reindex` makes the index anew."
            )
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"The web process did not get ready; /readyz last said {status or 'nothing'}."
            )
        time.sleep(0.1)


def _status(answer: bytes) -> str:
    """The status code of an HTTP answer, empty when there is none."""
    return answer.partition(b" ")[2][:3].decode("ascii", "replace")


def _ask_ready(port: int) -> bytes:
    """What /readyz answers, head and body; empty when nobody answers."""
    request = f"GET /readyz HTTP/1.0\r\nHost: {HOST}:{port}\r\n\r\n"
    try:
        with socket.create_connection((HOST, port), timeout=5.0) as connection:
            connection.sendall(request.encode())
            return b"".join(iter(lambda: connection.recv(4096), b""))
    except OSError:
        return b""


def _announce(options: Options, layout: Layout) -> None:
    names = ", ".join(user.username for user in DEMO_USERS)
    _say(f"PlanCover Assist is ready: http://{HOST}:{options.port}/")
    _say(f"Sign in as {names}; the password is demo-<name>, as in {DEMO_USERS[0].password}.")
    _say(f"Logs are in {layout.logs}. Ctrl-C stops everything.")


def _say(text: str) -> None:
    print(text, flush=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """End on the first signal; what follows is stopping, which no further signal may cut short."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def run() -> None:
    """Everything `make run` does; returns when interrupted, raises `EmbeddedError` when something fails."""
    options = read_options()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)
    if options.named_database:
        make_folders(Layout.of(options.data_dir))
        serve(options, ())
        return
    _say("Starting Postgres and Valkey…")
    with embedded.hold_servers(options.data_dir) as held:
        serve(options, held.servers)


def main() -> int:
    """Run until interrupted. Exit code 0 after an interrupt, 1 with one sentence when something failed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        run()
    except KeyboardInterrupt:
        _say("Stopped.")
    except EmbeddedError as error:
        print(error.message, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
