"""Tells a person's other open pages that a turn has begun or goes on, so that a second tab can follow it.

Best effort in both directions: the channel layer delivers at most once and may be down, and neither a send
nor a socket may wait for it. What a page misses it finds when it reloads. No text travels this way.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from plancover_assist.identity.context import AuthContext

RETRY_SECONDS = 15.0  # between tries to join while the layer is down
LAYER_DOWN = (RedisError, OSError, ChannelFull, TimeoutError)

logger = logging.getLogger(__name__)
_telling: set[asyncio.Task[None]] = set()  # keeps tasks from being collected in mid-flight


@dataclass(frozen=True, slots=True)
class Announced:
    """A turn that is at work now. Its newest attempt begins with the event behind number `after`."""

    turn_id: UUID
    after: int = 0


def tell(auth: AuthContext, turn: Announced, *, origin: str = "") -> None:
    """Announce a turn without waiting; `origin` names the socket that knows already."""
    message = {"turn_id": str(turn.turn_id), "after": turn.after, "origin": origin, "at": time.time()}
    task = asyncio.create_task(_tell(auth, message))
    _telling.add(task)
    task.add_done_callback(_telling.discard)


async def hear(auth: AuthContext, *, me: str) -> AsyncGenerator[Announced]:
    """Yield the turns that the caller's other sockets set to work, for ever; `me` names this socket.

    A turn set to work before this call is not told: whoever comes later knows it from the page, or watches
    it by its number, and must not get its first event twice.
    """
    since = time.time()
    while True:
        try:
            async with aclosing(_messages(_group(auth))) as messages:
                async for message in messages:
                    if message["origin"] != me and message["at"] >= since:
                        yield Announced(UUID(message["turn_id"]), message["after"])
        except LAYER_DOWN as error:
            logger.warning("a socket does not hear of other tabs now: %s", error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            logger.exception("what a socket heard of other tabs could not be understood")
            await asyncio.sleep(RETRY_SECONDS)


async def _messages(group: str) -> AsyncGenerator[dict[str, Any]]:
    layer = get_channel_layer()
    name = await layer.new_channel()
    try:
        await layer.group_add(group, name)
        while True:
            yield await layer.receive(name)
    finally:
        with suppress(*LAYER_DOWN):
            await layer.group_discard(group, name)


async def _tell(auth: AuthContext, message: dict[str, Any]) -> None:
    try:
        await get_channel_layer().group_send(_group(auth), {"type": "turn.announced", **message})
    except LAYER_DOWN as error:
        logger.warning("other tabs were not told of a new turn: %s", error)


def _group(auth: AuthContext) -> str:
    """Name the group of one person's sockets; a visitor's key itself stays out of the broker."""
    if auth.user_id is not None:
        return f"person.{auth.user_id}"
    return "visitor." + hashlib.sha256(auth.visitor_key.encode()).hexdigest()
