"""What every transport does alike: begin a turn, follow it, wait for its end.

A turn is a job in the background; these only start it and read its numbered events. It must not know how
events travel to a client.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from chat.turn import service
from chat.turn.events import TERMINAL_TYPES, TRACE_TYPES, Event, Heartbeat
from plancover_assist.identity.context import AuthContext

ANNOUNCE_SECONDS = 1.0  # other tabs learn of a turn at the latest by reloading; nobody waits for them

logger = logging.getLogger(__name__)


async def begin(auth: AuthContext, send: service.Send, *, origin: str = "") -> service.StartedTurn:
    """Start the turn of this send, or find the one it began before, and tell the caller's other sockets.

    `origin` names the socket that need not be told. Raises what `start_turn` raises.
    """
    started = await service.start_turn(auth, send)
    if started.created:
        await _announce(auth, started.turn_id, origin)
    return started


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


def socket_group(auth: AuthContext) -> str:
    """Name the group of all sockets of one person; a visitor's key stays out of broker logs."""
    if auth.user_id is not None:
        return f"person.{auth.user_id}"
    return "visitor." + hashlib.sha256(auth.visitor_key.encode()).hexdigest()


async def _announce(auth: AuthContext, turn_id: UUID, origin: str) -> None:
    """Best effort: the layer delivers at most once, and the database holds the truth."""
    message = {"type": "turn.announced", "turn_id": str(turn_id), "origin": origin}
    try:
        async with asyncio.timeout(ANNOUNCE_SECONDS):
            await get_channel_layer().group_send(socket_group(auth), message)
    except (RedisError, OSError, ChannelFull, TimeoutError) as error:
        logger.warning("other sockets were not told of a new turn: %s", error)
