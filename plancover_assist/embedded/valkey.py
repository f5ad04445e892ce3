"""The embedded Valkey: turn logs, caches and the channel layer on a private socket.

Everything in it can be rebuilt or does without; it is kept over restarts so that a turn log survives one.
"""

import signal
import socket
from pathlib import Path
from typing import ClassVar

from plancover_assist.embedded.layout import VALKEY_SOCKET
from plancover_assist.embedded.server import Server

ASK_SECONDS = 2.0


class Valkey(Server):
    """Valkey's server, from the wheel."""

    name = "Valkey"
    vital = False
    stop_steps: ClassVar[tuple[tuple[signal.Signals, float], ...]] = (
        (signal.SIGTERM, 10.0),
        (signal.SIGKILL, 5.0),
    )

    @property
    def folder(self) -> Path:
        return self.layout.valkey

    @property
    def pid_file(self) -> Path:
        return self.folder / "valkey.pid"

    @property
    def socket(self) -> Path:
        return self.layout.sockets / VALKEY_SOCKET

    def answers(self) -> bool:
        return self._ask(b"PING\r\n").startswith(b"+PONG")

    def command(self) -> list[str]:
        return [
            str(self.programs.valkey_server),
            *("--port", "0"),
            *("--unixsocket", str(self.socket), "--unixsocketperm", "700"),
            *("--appendonly", "yes", "--save", ""),
            *("--dir", ".", "--pidfile", self.pid_file.name),
            *("--daemonize", "no"),
        ]

    def clear_leftovers(self) -> None:
        self.pid_file.unlink(missing_ok=True)
        # A server whose data folder was deleted under it may still sit on our socket.
        self._ask(b"SHUTDOWN NOSAVE FORCE\r\n")
        self.socket.unlink(missing_ok=True)

    def may_retry(self) -> bool:
        return False

    def _ask(self, request: bytes) -> bytes:
        """Send one inline command; the start of the reply, or nothing when nobody is there."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(ASK_SECONDS)
            try:
                connection.connect(str(self.socket))
                connection.sendall(request)
                return connection.recv(64)
            except OSError:
                return b""
