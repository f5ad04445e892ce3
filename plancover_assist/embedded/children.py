"""The processes that `make run` starts and that end with it, however it ends.

Unlike the servers they belong to one `make run`: they sit in process groups of their own, so a Ctrl-C
reaches the supervisor alone, and the kernel kills them when the supervisor is killed.
"""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from plancover_assist.embedded import processes
from plancover_assist.embedded.account import Account

# For an orderly exit only: turns that run are not waited for, the sweep of the next start carries them on.
STOP_SECONDS = 12.0
PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


@dataclass(frozen=True, slots=True)
class Child:
    """A running process with a name for people and the log it writes."""

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def ended(self) -> bool:
        return self.process.poll() is not None

    def obituary(self) -> str:
        """One sentence on how it ended, with its last words."""
        return (
            f"{self.name} ended with code {self.process.poll()}. "
            f"Its log {self.log} ends: {processes.last_lines(self.log)}"
        )

    def stop(self) -> None:
        """Ask it to end, and kill it when it does not within `STOP_SECONDS`."""
        if self.ended():
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_child(name: str, command: list[str], *, folder: Path, log: Path, keeper: Account) -> Child:
    """Start `command` in `folder`; standard output and errors go to `log`, which belongs to `keeper`."""
    with processes.open_log(log, keeper) as stream:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            process_group=0,
            preexec_fn=_end_with_parent(),  # noqa: PLW1509 - no threads here, and one system call only
        )
    return Child(name, process, log)


def _end_with_parent() -> Callable[[], object] | None:
    """What the child calls before it becomes the program: have the kernel kill it when we die (Linux)."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
