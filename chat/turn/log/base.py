"""What a turn log is, whatever stands behind it. Times in seconds.

One writer appends to a turn; any number of followers read from their own cursor. The log also carries the
two facts that travel towards the writer: that somebody watches, and that somebody asked to stop.
"""

from dataclasses import dataclass
from typing import Protocol

LIVE_SECONDS = 3600  # life of a log since its last entry; fixed by the owner's design
ENDED_SECONDS = 600  # life of a log after its run has ended
MAX_ENTRIES = 4096  # the oldest entries beyond this are dropped
WATCH_LEASE_SECONDS = 3  # a watcher whose process died stops counting after this


class LogUnavailable(Exception):
    """The store behind a log did not answer; nothing is known about what it holds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event: its number in the turn, counting from 1, and its JSON."""

    seq: int
    data: str


class TurnLog(Protocol):
    """A turn is named by its id. An entry whose number was taken before is refused and counts as done."""

    async def append(self, turn_id: str, entry: Entry) -> None: ...

    async def read(self, turn_id: str, *, after: int, wait: float) -> list[Entry]:
        """Return the entries beyond `after`, oldest first; wait up to `wait` seconds for the first."""
        ...

    async def last_seq(self, turn_id: str) -> int:
        """Return the highest number in the log, 0 when it holds nothing."""
        ...

    async def end(self, turn_id: str) -> None:
        """The run has ended: keep the log for late readers, but not for long."""
        ...

    async def watch(self, turn_id: str, watcher: str) -> None:
        """Count this watcher for the next `WATCH_LEASE_SECONDS`."""
        ...

    async def unwatch(self, turn_id: str, watcher: str) -> None:
        """This watcher has left just now; that it was here stays known."""
        ...

    async def seconds_unwatched(self, turn_id: str) -> float | None:
        """Return how long ago the last watcher was here: 0 while one is, None when there was none."""
        ...

    async def request_stop(self, turn_id: str, attempt: int) -> None: ...

    async def aclose(self) -> None:
        """Close connections; the log can not be used afterwards."""
        ...

    async def wait_for_stop(self, turn_id: str, attempt: int, *, wait: float) -> bool:
        """Tell whether a stop of this attempt was asked for; wait up to `wait` seconds for one."""
        ...
