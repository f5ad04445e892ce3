"""The turn log in this process' memory: used without Redis, and as the near copy beside it."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile

from chat.turn.log.base import ENDED_SECONDS, LIVE_SECONDS, MAX_ENTRIES, WATCH_LEASE_SECONDS, Entry


@dataclass(slots=True)
class _Stream:
    expires: float
    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=MAX_ENTRIES))
    grown: asyncio.Event = field(default_factory=asyncio.Event)
    watchers: dict[str, float] = field(default_factory=dict)  # until when each counts, or when it left
    stops: dict[int, asyncio.Event] = field(default_factory=dict)  # by attempt

    @property
    def last_seq(self) -> int:
        return self.entries[-1].seq if self.entries else 0

    def append(self, entry: Entry) -> None:
        if entry.seq <= self.last_seq:
            return
        self.entries.append(entry)
        self.grown.set()
        self.grown = asyncio.Event()

    def beyond(self, seq: int) -> list[Entry]:
        newest_first = takewhile(lambda entry: entry.seq > seq, reversed(self.entries))
        return list(newest_first)[::-1]

    def stop(self, attempt: int) -> asyncio.Event:
        return self.stops.setdefault(attempt, asyncio.Event())


class InProcessLog:
    """Belongs to one event loop. `clock` counts seconds and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._streams: dict[str, _Stream] = {}

    def holds(self, turn_id: str) -> bool:
        """Tell whether anything is known about this turn here."""
        return turn_id in self._streams

    def covers(self, turn_id: str, after: int) -> bool:
        """Tell whether memory holds this turn, and everything of it beyond `after`."""
        stream = self._streams.get(turn_id)
        return stream is not None and bool(stream.entries) and stream.entries[0].seq <= after + 1

    def forget(self, turn_id: str) -> None:
        """Drop the entries; whoever is reading keeps what it already holds."""
        self._streams.pop(turn_id, None)

    async def append(self, turn_id: str, entry: Entry) -> None:
        stream = self._stream(turn_id)
        stream.expires = self._clock() + LIVE_SECONDS
        stream.append(entry)

    async def read(self, turn_id: str, *, after: int, wait: float) -> list[Entry]:
        stream = self._stream(turn_id)
        found = stream.beyond(after)
        if not found and await _set_within(stream.grown, wait):
            found = stream.beyond(after)
        return found

    async def last_seq(self, turn_id: str) -> int:
        stream = self._streams.get(turn_id)
        return 0 if stream is None else stream.last_seq

    async def end(self, turn_id: str) -> None:
        if stream := self._streams.get(turn_id):
            stream.expires = self._clock() + ENDED_SECONDS

    async def watch(self, turn_id: str, watcher: str) -> None:
        self._stream(turn_id).watchers[watcher] = self._clock() + WATCH_LEASE_SECONDS

    async def unwatch(self, turn_id: str, watcher: str) -> None:
        if stream := self._streams.get(turn_id):
            stream.watchers[watcher] = self._clock()

    async def seconds_unwatched(self, turn_id: str) -> float | None:
        stream = self._streams.get(turn_id)
        until = None if stream is None else max(stream.watchers.values(), default=None)
        return None if until is None else max(0.0, self._clock() - until)

    async def request_stop(self, turn_id: str, attempt: int) -> None:
        self._stream(turn_id).stop(attempt).set()

    async def wait_for_stop(self, turn_id: str, attempt: int, *, wait: float) -> bool:
        return await _set_within(self._stream(turn_id).stop(attempt), wait)

    async def aclose(self) -> None:
        self._streams.clear()

    def _stream(self, turn_id: str) -> _Stream:
        stream = self._streams.get(turn_id)
        if stream is None:
            self._drop_expired()
            stream = self._streams[turn_id] = _Stream(expires=self._clock() + LIVE_SECONDS)
        return stream

    def _drop_expired(self) -> None:
        now = self._clock()
        for turn_id in [key for key, stream in self._streams.items() if stream.expires < now]:
            self.forget(turn_id)


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
