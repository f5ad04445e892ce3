"""The turn engine of one process: what every run shares, and the runs themselves.

One engine belongs to one event loop, because the log's connections do. Runs are tasks of their own; the
engine keeps hold of them so that none is collected in mid-flight.
"""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils import timezone
from pydantic import ValidationError

from chat.services.leases import ClaimedTurn, Hold, Lease
from chat.turn import exits, graph
from chat.turn.lifecycle import Run, conduct
from chat.turn.limits import LEASE_SECONDS, past_recovery
from chat.turn.log.base import TurnLog
from chat.turn.log.in_process import InProcessLog
from chat.turn.log.redis_stream import RedisStreamLog
from chat.turn.log.resilient import ResilientLog
from chat.turn.records import DatabaseRecords
from chat.turn.runner import Position
from chat.turn.runtime import Search, TurnRuntime
from chat.turn.state import TurnState
from plancover_assist.identity.context import AuthContext
from plancover_assist.llm.gateway import get_models
from plancover_assist.llm.types import Models
from plancover_assist.settings.bounds import Bounds
from retrieval.search import search

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Engine:
    """`today` gives the product's own day; `lease` names this process to the others."""

    log: TurnLog
    search: Search
    models: Models
    bounds: Bounds
    today: Callable[[], date]
    lease: Lease
    _runs: set[asyncio.Task[None]] = field(default_factory=set)

    def launch(self, claimed: ClaimedTurn, auth: AuthContext, *, recovered: bool = False) -> None:
        """Start a run of a claimed turn in this loop. A recovered one past its limits is handed over."""
        run = Run(
            claimed=claimed,
            position=_position(claimed, recovered=recovered),
            runtime=self._runtime(claimed, auth),
            hold=Hold(claimed.turn_id, claimed.conversation_id, claimed.attempt, self.lease),
            log=self.log,
            recovered=recovered,
        )
        task = asyncio.create_task(conduct(run), name=f"turn {claimed.turn_id}")
        self._runs.add(task)
        task.add_done_callback(self._runs.discard)

    async def aclose(self) -> None:
        """Wait for the runs and close the log's connections; the engine can not be used afterwards."""
        await self.idle()
        await self.log.aclose()

    async def idle(self) -> None:
        """Wait until no run is left in this process."""
        while self._runs:
            await asyncio.wait(set(self._runs))

    def _runtime(self, claimed: ClaimedTurn, auth: AuthContext) -> TurnRuntime:
        return TurnRuntime(
            auth=auth,
            turn_id=claimed.turn_id,
            conversation_id=claimed.conversation_key,
            channel=claimed.channel,
            request_id=f"{claimed.turn_id}.{claimed.attempt}",
            today=self.today(),
            bounds=self.bounds,
            search=self.search,
            models=self.models,
            records=DatabaseRecords(claimed.turn_id, claimed.conversation_id),
        )


def _position(claimed: ClaimedTurn, *, recovered: bool) -> Position:
    try:
        state = TurnState.model_validate(claimed.state)
    except ValidationError as error:
        # Counted, not quoted: the names of unknown fields come from the row as well.
        logger.error("a stored state cannot be read (%d problems); it is handed over", error.error_count())
        return _handed_over(TurnState(question=str(claimed.state.get("question", ""))))
    if recovered and past_recovery(attempt=claimed.attempt, age_seconds=claimed.age_seconds):
        return _handed_over(state)
    return Position(claimed.node, state)


def _handed_over(state: TurnState) -> Position:
    lost = state.model_copy(update={"exit": exits.escalated("turn_lost"), "answer": ""})
    return Position(graph.ESCALATE, lost)


def product_today() -> date:
    """Return the day that counts: `ASSIST_TODAY` where it is set, else the calendar's in India."""
    return date.fromisoformat(settings.ASSIST_TODAY) if settings.ASSIST_TODAY else timezone.localdate()


def process_lease() -> Lease:
    """Return a name no other process has, now or after a restart under the same pid."""
    return Lease(f"{socket.gethostname()[:32]}:{os.getpid()}:{secrets.token_hex(6)}", LEASE_SECONDS)


def build_log(redis_url: str) -> TurnLog:
    """Return the log of this installation: Redis with a near copy, or memory alone."""
    near = InProcessLog()
    return ResilientLog(near=near, shared=RedisStreamLog(redis_url)) if redis_url else near


def build_engine(models: Models | None = None) -> Engine:
    """Return an engine for the running loop: the product's search and bounds, and its models unless given."""
    return Engine(
        log=build_log(settings.REDIS_URL),
        search=search,
        models=models or get_models(),
        bounds=settings.BOUNDS,
        today=product_today,
        lease=process_lease(),
    )


_engines: WeakKeyDictionary[asyncio.AbstractEventLoop, Engine] = WeakKeyDictionary()


def get_engine() -> Engine:
    """Return the running loop's engine, built on first use."""
    loop = asyncio.get_running_loop()
    if loop not in _engines:
        install(build_engine())
    return _engines[loop]


def install(engine: Engine) -> None:
    """Use `engine` in the running loop: commands set their own pace with it, tests their own gateways."""
    _engines[asyncio.get_running_loop()] = engine
