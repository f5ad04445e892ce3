"""The turn log of a deployment: Redis for everybody, and a near copy for the process that runs the turn.

Followers in the running process read the copy, so they are woken at once and lose nothing when Redis dies
in mid-turn. A turn that Redis has once missed an entry of stays with the copy: half a log is no log. Only
the run's own entries begin a near copy: whoever watches or stops a turn of elsewhere, or one that has
ended, leaves nothing behind here.
"""

import asyncio
import logging
from collections.abc import Awaitable

from chat.turn.log.base import Entry, LogUnavailable, TurnLog
from chat.turn.log.in_process import InProcessLog

logger = logging.getLogger(__name__)

OUTAGE_PAUSE_SECONDS = 0.5  # between tries of a follower whose store is gone


class ResilientLog:
    """Writes to `near` and then to `shared`; reads `near` where it holds all that is asked for."""

    def __init__(self, *, near: InProcessLog, shared: TurnLog) -> None:
        self._near = near
        self._shared = shared
        self._cut_off: set[str] = set()

    async def append(self, turn_id: str, entry: Entry) -> None:
        await self._near.append(turn_id, entry)
        if turn_id not in self._cut_off and not await self._reached(self._shared.append(turn_id, entry)):
            self._cut_off.add(turn_id)

    async def read(self, turn_id: str, *, after: int, wait: float) -> list[Entry]:
        if self._near.covers(turn_id, after):
            return await self._near.read(turn_id, after=after, wait=wait)
        try:
            return await self._shared.read(turn_id, after=after, wait=wait)
        except LogUnavailable:
            return await self._read_alone(turn_id, after, min(wait, OUTAGE_PAUSE_SECONDS))

    async def last_seq(self, turn_id: str) -> int:
        near = await self._near.last_seq(turn_id)
        try:
            return max(near, await self._shared.last_seq(turn_id))
        except LogUnavailable:
            return near

    async def end(self, turn_id: str) -> None:
        whole = turn_id not in self._cut_off and await self._reached(self._shared.end(turn_id))
        self._cut_off.discard(turn_id)
        if whole:
            self._near.forget(turn_id)
        else:
            await self._near.end(turn_id)

    async def watch(self, turn_id: str, watcher: str) -> None:
        if self._near.holds(turn_id):
            await self._near.watch(turn_id, watcher)
        await self._reached(self._shared.watch(turn_id, watcher))

    async def unwatch(self, turn_id: str, watcher: str) -> None:
        await self._near.unwatch(turn_id, watcher)
        await self._reached(self._shared.unwatch(turn_id, watcher))

    async def seconds_unwatched(self, turn_id: str) -> float | None:
        near = await self._near.seconds_unwatched(turn_id)
        if near == 0:
            return near
        try:
            shared = await self._shared.seconds_unwatched(turn_id)
        except LogUnavailable:
            return near
        return min((since for since in (near, shared) if since is not None), default=None)

    async def request_stop(self, turn_id: str, attempt: int) -> None:
        if self._near.holds(turn_id):
            await self._near.request_stop(turn_id, attempt)
        await self._reached(self._shared.request_stop(turn_id, attempt))

    async def wait_for_stop(self, turn_id: str, attempt: int, *, wait: float) -> bool:
        """Listen on both sides: a stop may come from this process or, through Redis, from another."""
        if not self._near.holds(turn_id):
            return await self._shared_stop(turn_id, attempt, wait)
        near = asyncio.ensure_future(self._near.wait_for_stop(turn_id, attempt, wait=wait))
        shared = asyncio.ensure_future(self._shared_stop(turn_id, attempt, wait))
        try:
            await asyncio.wait({near, shared}, return_when=asyncio.FIRST_COMPLETED)
            return any(side.done() and side.result() for side in (near, shared))
        finally:
            near.cancel()
            shared.cancel()

    async def aclose(self) -> None:
        await self._near.aclose()
        await self._shared.aclose()

    async def _read_alone(self, turn_id: str, after: int, wait: float) -> list[Entry]:
        if self._near.holds(turn_id):
            return await self._near.read(turn_id, after=after, wait=wait)
        await asyncio.sleep(wait)
        return []

    async def _shared_stop(self, turn_id: str, attempt: int, wait: float) -> bool:
        try:
            return await self._shared.wait_for_stop(turn_id, attempt, wait=wait)
        except LogUnavailable:
            await asyncio.sleep(wait)
            return False

    async def _reached(self, command: Awaitable[None]) -> bool:
        try:
            await command
        except LogUnavailable as error:
            logger.warning("the turn log's store did not answer: %s", error)
            return False
        return True
