"""Watches over a run while it walks: a stop, the last watcher leaving, and the lease.

It cuts nothing itself; it returns when the run is done or should be cut.
"""

import asyncio
import logging
import time
from dataclasses import dataclass, field

from django.db import DatabaseError

from chat.services.leases import Hold, renew_lease
from chat.turn.limits import RENEW_SECONDS, WATCH_TICK_SECONDS
from chat.turn.log.base import TurnLog
from plancover_assist import db

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Vigil:
    """`grace` is how many seconds a run lives without watchers; None: it needs none (a recovered turn)."""

    log: TurnLog
    hold: Hold
    grace: float | None
    _began_at: float = field(default_factory=time.monotonic)
    _renewed_at: float = field(default_factory=time.monotonic)

    async def keep(self, walking: asyncio.Task[object]) -> None:
        """Return when `walking` is done or is to be cut. Raises `LeaseLost`."""
        stop = asyncio.create_task(self._stop_asked())
        try:
            while not walking.done():
                await asyncio.wait(
                    {walking, stop}, timeout=WATCH_TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if stop.done() or await self._is_abandoned() or await self._stop_noted():
                    return
        finally:
            stop.cancel()

    async def _stop_asked(self) -> None:
        turn_id, attempt = str(self.hold.turn_id), self.hold.attempt
        while not await self.log.wait_for_stop(turn_id, attempt, wait=RENEW_SECONDS):
            continue

    async def _is_abandoned(self) -> bool:
        """A run that has just begun is given the grace too: its first watcher is on the way."""
        alone = time.monotonic() - self._began_at
        if self.grace is None or alone <= self.grace:
            return False
        since = await self.log.seconds_unwatched(str(self.hold.turn_id))
        return since is None or since > self.grace

    async def _stop_noted(self) -> bool:
        """Renew the lease when it is due, and learn from the row whether a stop was asked for."""
        if time.monotonic() - self._renewed_at < RENEW_SECONDS:
            return False
        self._renewed_at = time.monotonic()
        try:
            return await db.call(renew_lease, self.hold)
        except DatabaseError:
            logger.warning("the lease could not be renewed", exc_info=True)
            return False
