"""One run of a turn from its first event to its terminal one, in a task of its own.

Sockets and responses only watch: none of them can end a run but by asking for a stop or by leaving it
unwatched for longer than the grace. When the process is shut down the run falls silent without an ending,
and the sweep of another process carries it on.
"""

import asyncio
import logging
from dataclasses import dataclass

from audit.services import record_trace
from chat.services.boundaries import end_run
from chat.services.leases import ClaimedTurn, Hold, LeaseLost
from chat.turn import endings, exits
from chat.turn.emitter import Emitter
from chat.turn.endings import Closed
from chat.turn.events import TurnStarted
from chat.turn.log.base import MAX_ENTRIES, TurnLog
from chat.turn.runner import Position, Runner, StopSeen
from chat.turn.runtime import TurnRuntime
from chat.turn.sentences import sentence
from chat.turn.state import TurnState
from chat.turn.transcript import ForeignSpeaker, Transcript
from chat.turn.vigil import Vigil
from plancover_assist import db
from plancover_assist.telemetry import turn_id_var

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Run:
    """Everything one run starts from. `recovered`: its process died, so nobody needs to watch it now."""

    claimed: ClaimedTurn
    position: Position
    runtime: TurnRuntime
    hold: Hold
    log: TurnLog
    recovered: bool = False


async def conduct(run: Run) -> None:
    """Walk the graph, watch over it, end it once. Errors are logged; only cancellation propagates."""
    turn_id_var.set(str(run.claimed.turn_id))
    try:
        await _conduct(run)
    except LeaseLost:
        logger.warning("the turn is worked elsewhere now; this run falls silent")
    except Exception:
        # Without its rows a run must not tell watchers that it ended: its lease runs out, the sweep retries.
        logger.exception("the run could not be ended")


async def _conduct(run: Run) -> None:
    emitter = Emitter(
        run.log,
        turn_id=str(run.claimed.turn_id),
        attempt=run.claimed.attempt,
        last_seq=await _numbers_taken(run),
    )
    runner = Runner(
        position=run.position,
        runtime=run.runtime,
        hold=run.hold,
        emitter=emitter,
        transcript=Transcript(emitter),
    )
    started = {"conversation_id": run.claimed.conversation_key, "client_id": run.claimed.client_id}
    await emitter.emit(TurnStarted, **started)
    walking = await _walk_watched(run, runner)
    await _end(run, emitter, await _close(walking, runner, emitter))


async def _walk_watched(run: Run, runner: Runner) -> "asyncio.Task[TurnState]":
    grace = None if run.recovered else run.runtime.bounds.DRAIN_GRACE_SECONDS
    walking = asyncio.create_task(runner.walk())
    try:
        if not run.claimed.stop_requested:
            await Vigil(run.log, run.hold, grace).keep(walking)
    finally:
        if not walking.done():
            walking.cancel()
            await asyncio.wait({walking})
    return walking


async def _numbers_taken(run: Run) -> int:
    """Return the last number of earlier attempts.

    The log may hold more than the rows: text is numbered between two boundaries. Where the log died with its
    process the numbers it gave out are unknown, so a stretch is skipped rather than a number given twice; an
    empty log is such a one, because a run's first act is to write to it.
    """
    claimed = run.claimed
    if claimed.attempt == 1:
        return 0
    in_log = await run.log.last_seq(str(claimed.turn_id))
    if run.recovered and in_log < max(claimed.last_seq, 1):
        return claimed.last_seq + MAX_ENTRIES
    return max(in_log, claimed.last_seq)


async def _close(walking: "asyncio.Task[TurnState]", runner: Runner, emitter: Emitter) -> Closed:
    """Find out how the walk ended, and speak what is still unsaid. Raises `LeaseLost`."""
    await emitter.settle()
    state, shown = runner.position.state, runner.transcript.text
    error = None if walking.cancelled() else walking.exception()
    if walking.cancelled() or isinstance(error, StopSeen):
        return endings.stopped(state, shown, runner.runtime, emitter)
    if isinstance(error, LeaseLost):
        raise error
    if error is not None:
        logger.error("the run failed", exc_info=error)
        return await _broken(state, shown, runner.runtime, emitter)
    try:
        await runner.transcript.close(state)
    except ForeignSpeaker:
        logger.exception("the answer contradicts what was shown")
        return await _broken(state, shown, runner.runtime, emitter)
    return endings.complete(state, runner.runtime, emitter)


async def _broken(state: TurnState, shown: str, runtime: TurnRuntime, emitter: Emitter) -> Closed:
    if shown:
        failed = state.model_copy(update={"exit": exits.escalated("generation_failed")})
        left = await exits.leave(failed, runtime)
        state = state.model_copy(update={"escalation": left.escalation})
    return endings.broken(state, shown, emitter, sentence("turn_failed", state.lang))


async def _end(run: Run, emitter: Emitter, closed: Closed) -> None:
    """Store the ending first: whoever sees the terminal event may send the next message at once."""
    await db.call(end_run, run.hold, closed.as_ending())
    await emitter.publish(closed.event)
    await run.log.end(str(run.claimed.turn_id))
    try:
        await db.call(record_trace, endings.trace(closed, run.claimed, run.runtime))
    except Exception:
        logger.exception("the trace of the turn could not be written")
