"""The two locks of a data folder.

`gate` is held alone, for the moment in which somebody starts or stops the servers. `users` is shared by
everybody who uses them; whoever can have it alone while holding the gate is the last one out.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plancover_assist.embedded.account import Account
from plancover_assist.embedded.errors import EmbeddedError

GATE_SECONDS = 180.0  # longer than the slowest start of the servers after a crash
POLL_SECONDS = 0.05


class FileLock:
    """An flock on one file; the kernel lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path, account: Account) -> None:
        self._path = path
        self._descriptor = account.open(path, os.O_RDWR)

    @contextmanager
    def alone(self, seconds: float = GATE_SECONDS) -> Iterator[None]:
        """Hold the lock exclusively; raises `EmbeddedError` when somebody else keeps it for `seconds`."""
        deadline = time.monotonic() + seconds
        while not self.try_alone():
            if time.monotonic() > deadline:
                raise EmbeddedError(f"Another process keeps {self._path} locked: end it and try again.")
            time.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            self.release()

    def share(self) -> None:
        """Hold the lock together with others."""
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def try_alone(self) -> bool:
        """Hold the lock exclusively if that is possible now. A shared hold may be lost by trying."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the lock and its file."""
        os.close(self._descriptor)
