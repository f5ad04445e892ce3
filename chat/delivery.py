"""What every transport does alike: begin a turn or carry it on, follow it, wait for its end.

A turn is a job in the background; these only start it and read its numbered events. It must not know how
events travel to a client.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from chat import announcements, selectors
from chat.announcements import Announced
from chat.turn import service
from chat.turn.events import TERMINAL_TYPES, TRACE_TYPES, Event, Heartbeat
from plancover_assist import db
from plancover_assist.identity.context import AuthContext


async def begin(auth: AuthContext, send: service.Send, *, origin: str = "") -> service.StartedTurn:
    """Start the turn of this send, or find the one it began before, and tell the caller's other sockets.

    `origin` names the socket that need not be told. Raises what `start_turn` raises.
    """
    started = await service.start_turn(auth, send)
    if started.created:
        announcements.tell(auth, Announced(started.turn_id), origin=origin)
    return started


async def resume(auth: AuthContext, turn_id: UUID) -> int:
    """Carry an interrupted turn on, tell the caller's sockets, and return the cursor its new attempt follows.

    Raises what `continue_turn` raises.
    """
    turn = await db.call(selectors.get_turn, auth, turn_id)
    await service.continue_turn(auth, turn_id)
    announcements.tell(auth, Announced(turn_id, turn.last_seq))
    return turn.last_seq


async def follow(
    auth: AuthContext, turn_id: UUID, *, after: int = 0, trace: bool = False
) -> AsyncGenerator[Event | Heartbeat]:
    """Yield the turn's events beyond `after` up to its terminal one; trace events only when asked for."""
    async with aclosing(service.watch(auth, turn_id, after)) as events:
        async for event in events:
            if trace or event.type not in TRACE_TYPES:
                yield event


async def wait_for_end(
    auth: AuthContext, turn_id: UUID, *, after: int = 0, seconds: float | None = None
) -> Event | None:
    """Return the event that ended the run, or None when it still runs after `seconds`.

    Counts as a watcher as long as it waits.
    """
    latest: Event | None = None
    try:
        async with asyncio.timeout(seconds), aclosing(follow(auth, turn_id, after=after)) as events:
            async for event in events:
                # A turn that was continued replays the endings of its earlier attempts before its own.
                latest = None if isinstance(event, Heartbeat) else event
    except TimeoutError:
        return None
    return latest if latest is not None and latest.type in TERMINAL_TYPES else None
