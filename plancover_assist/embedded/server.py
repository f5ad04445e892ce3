"""What the two embedded servers have in common: start when nobody answers, join when somebody does, stop.

A subclass says how to ask, where the process id is written, and what to run. Callers hold the gate lock.
"""

import signal
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from plancover_assist.embedded import processes
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.layout import Layout
from plancover_assist.embedded.programs import Programs

# Seconds until a server must answer: Postgres may have to replay its log after everything was killed.
START_SECONDS = 120.0
RETRY_SECONDS = 0.25


class Server(ABC):
    """One embedded server of a data folder."""

    name: ClassVar[str]
    vital: ClassVar[bool] = True  # the product cannot go on without it
    stop_steps: ClassVar[tuple[tuple[signal.Signals, float], ...]]

    def __init__(self, layout: Layout, programs: Programs) -> None:
        self.layout = layout
        self.programs = programs
        self._pid: int | None = None
        self._child: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def folder(self) -> Path:
        """The server's working directory, by which a process is known as ours."""

    @property
    @abstractmethod
    def pid_file(self) -> Path:
        """The file in which the server writes its process id."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether somebody on our socket takes requests now."""

    @abstractmethod
    def command(self) -> list[str]:
        """What to run."""

    @abstractmethod
    def clear_leftovers(self) -> None:
        """Remove files of a dead predecessor that would keep the server from starting."""

    @abstractmethod
    def may_retry(self) -> bool:
        """Whether a start that just failed can succeed a moment later."""

    @property
    def log(self) -> Path:
        return self.layout.logs / f"{self.name.lower()}.log"

    def ensure(self) -> None:
        """Return with the server answering; raises `EmbeddedError` with its last words otherwise."""
        deadline = time.monotonic() + START_SECONDS
        while not self._is_up():
            if time.monotonic() > deadline:
                raise self._failure("did not answer in time")
            if self._running_pid() is None:
                self._launch(deadline)
            time.sleep(processes.POLL_SECONDS)
        self._pid = self._running_pid()

    def alive(self) -> bool:
        """Whether the process that `ensure` found still lives."""
        return self._pid is not None and processes.lives(self._pid)

    def obituary(self) -> str:
        """One sentence for people when it died, with its last words."""
        return self._failure("has ended").message

    def stop(self) -> None:
        """Stop the server and wait until it is gone; nothing happens when it is not running."""
        pid = self._running_pid() or self._pid
        if pid is not None:
            processes.stop(pid, *self.stop_steps)
        if self._child is not None:
            self._child.poll()
        self._pid = self._child = None

    def _is_up(self) -> bool:
        return self._running_pid() is not None and self.answers()

    def _running_pid(self) -> int | None:
        pid = processes.read_pid(self.pid_file)
        return pid if pid is not None and processes.works_in(pid, self.folder) else None

    def _launch(self, deadline: float) -> None:
        """Start the process and wait until it answers, ends, or the deadline passes."""
        self.clear_leftovers()
        self._child = processes.start_detached(
            self.command(),
            account=self.layout.account,
            folder=self.folder,
            log=self.log,
            keeper=self.layout.keeper,
        )
        while self._child.poll() is None and time.monotonic() < deadline:
            if self._is_up():
                return
            time.sleep(processes.POLL_SECONDS)
        if not self.may_retry():
            raise self._failure("stopped at its start")
        time.sleep(RETRY_SECONDS)

    def _failure(self, what: str) -> EmbeddedError:
        return EmbeddedError(f"{self.name} {what}. Its log {self.log} ends: {processes.last_lines(self.log)}")
