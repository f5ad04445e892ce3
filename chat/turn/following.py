"""Following a turn from a cursor: replay from the log, then live, to the terminal event.

The log wakes a follower; the database is asked only in silence, because a run whose process died between
its ending's rows and its last entry has its terminal event there.
"""

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from uuid import UUID

from chat import selectors
from chat.turn.events import EVENT, TERMINAL_TYPES, Event, Heartbeat
from chat.turn.log.base import WATCH_LEASE_SECONDS, TurnLog
from plancover_assist import db

CHECK_SECONDS = 2.0  # silence after which the database is asked whether the run has ended


async def follow(
    log: TurnLog, *, turn_id: UUID, attempt: int, after: int, heartbeat_seconds: float
) -> AsyncGenerator[Event | Heartbeat]:
    """Yield what lies beyond `after`; ends with the terminal event of `attempt` or a later one."""
    cursor, wait, heard = after, 0.0, time.monotonic()
    async with _counted(log, str(turn_id)):
        while True:
            events = await _next_events(log, turn_id, cursor, wait)
            terminal = None if events else await _stored_terminal(turn_id)
            if terminal is not None:  # and what the log got since it was silent
                events = await _next_events(log, turn_id, cursor, 0.0)
            for event in events:
                yield event
                cursor, heard = event.seq, time.monotonic()
                if _ends(event, attempt):
                    return
            if terminal is not None:
                if terminal.seq != cursor:
                    yield terminal
                return
            wait = CHECK_SECONDS
            if time.monotonic() - heard >= heartbeat_seconds:
                heard = time.monotonic()
                yield Heartbeat(turn_id=str(turn_id))


async def _next_events(log: TurnLog, turn_id: UUID, cursor: int, wait: float) -> Sequence[Event]:
    """Return the events that follow `cursor` without a gap; a log that lost some of them has none."""
    entries = await log.read(str(turn_id), after=cursor, wait=wait)
    if entries and entries[0].seq != cursor + 1:
        await asyncio.sleep(wait)  # such a log answers at once, again and again
        return ()
    return [EVENT.validate_json(entry.data) for entry in entries]


async def _stored_terminal(turn_id: UUID) -> Event | None:
    stored = await db.call(selectors.find_terminal, turn_id)
    return None if stored is None else EVENT.validate_python(stored)


def _ends(event: Event, attempt: int) -> bool:
    """An earlier attempt's terminal event is history for whoever watches a later one."""
    return event.type in TERMINAL_TYPES and event.attempt >= attempt


@contextlib.asynccontextmanager
async def _counted(log: TurnLog, turn_id: str) -> AsyncIterator[None]:
    """Count as a watcher, by a short lease that is renewed for as long as the block lasts."""
    watcher = uuid.uuid4().hex
    await log.watch(turn_id, watcher)
    renewing = asyncio.create_task(_renew(log, turn_id, watcher))
    try:
        yield
    finally:
        renewing.cancel()
        await log.unwatch(turn_id, watcher)


async def _renew(log: TurnLog, turn_id: str, watcher: str) -> None:
    while True:
        await asyncio.sleep(WATCH_LEASE_SECONDS / 3)
        await log.watch(turn_id, watcher)
