"""Starts and stops detached server processes, and tells a living one from a zombie or a stranger.

A process id alone proves nothing: it may be a zombie that nobody reaped, or belong to another program by
now. A server counts as ours only while it lives and works in our folder.
"""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import BinaryIO

from plancover_assist.embedded.account import Account

LOG_KEPT_BYTES = 5_000_000  # a larger log is set aside as .1 at the next start
POLL_SECONDS = 0.02
# Nothing of the caller's environment may change a server: PGDATA, PGPORT, LD_PRELOAD, a broken locale.
SERVER_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/local/bin:/usr/bin:/bin"}


def start_detached(
    command: list[str], *, account: Account, folder: Path, log: Path, keeper: Account
) -> "subprocess.Popen[bytes]":
    """Start `command` in `folder` as `account`, in a session of its own so that no Ctrl-C reaches it.

    `folder` becomes the working directory before the account changes, so the account need not be able to
    walk there. Output is appended to `log`, which belongs to `keeper`.
    """
    with open_log(log, keeper) as stream:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=SERVER_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o077,
            **account.credentials(),
        )


def open_log(log: Path, keeper: Account) -> BinaryIO:
    """Open `log`, which belongs to `keeper`, for appending; a large one is set aside first."""
    if log.exists() and log.stat().st_size > LOG_KEPT_BYTES:
        log.replace(log.with_suffix(log.suffix + ".1"))
    return os.fdopen(keeper.open(log, os.O_WRONLY | os.O_APPEND), "ab")


def last_lines(log: Path, count: int = 5) -> str:
    """The last lines of a log, joined by ' | '; empty when there is none."""
    try:
        text = log.read_bytes()[-4000:].decode("utf-8", errors="replace")
    except OSError:
        return ""
    return " | ".join(line.strip() for line in text.splitlines()[-count:] if line.strip())


def lives(pid: int) -> bool:
    """Whether `pid` is a process that still runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return not Path("/proc/self").exists() and _answers_signal(pid)
    except ProcessLookupError:
        return False
    return state not in {"Z", "X"}


def _answers_signal(pid: int) -> bool:
    """The test for systems without /proc."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def works_in(pid: int, folder: Path) -> bool:
    """Whether `pid` lives with `folder` as its working directory, as both servers do."""
    if not lives(pid):
        return False
    if not Path("/proc/self").exists():
        return True
    try:
        return Path(f"/proc/{pid}/cwd").samefile(folder)
    except OSError:
        return False


def read_pid(file: Path) -> int | None:
    """The process id on the first line of a pid file; None without one."""
    try:
        return int(file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def wait_until_gone(pid: int, seconds: float) -> bool:
    """Wait until `pid` no longer lives; False when it still does after `seconds`."""
    deadline = time.monotonic() + seconds
    while lives(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def stop(pid: int, *steps: tuple[signal.Signals, float]) -> None:
    """Send each signal in turn until the process is gone, waiting the given seconds after each."""
    for number, seconds in steps:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        if wait_until_gone(pid, seconds):
            return
