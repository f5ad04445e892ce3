"""What every transport calls: send, watch, stop, continue. A transport adds nothing but its own framing.

The caller's identity is an argument; a turn of somebody else answers exactly like an unknown one.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

from chat import selectors
from chat.selectors import PastMessage
from chat.services.leases import claim_interrupted_turn, request_stop
from chat.services.sends import NewTurn, begin_turn
from chat.turn.context import recent_history
from chat.turn.engine import Engine, get_engine
from chat.turn.events import Event, Heartbeat
from chat.turn.following import follow
from chat.turn.guardrails.validation import Checked
from chat.turn.off_loop import off_loop
from chat.turn.sends import Send, check
from chat.turn.state import TurnState
from plancover_assist import db
from plancover_assist.identity.context import AuthContext

__all__ = ["Send", "StartedTurn", "continue_turn", "start_turn", "stop", "watch"]


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """`created` is False when the same `client_id` had been sent before."""

    turn_id: UUID
    conversation_id: str
    created: bool


async def start_turn(auth: AuthContext, send: Send) -> StartedTurn:
    """Store the message and start its turn in this process' loop; the same send twice is one turn.

    Raises `EmptyMessage`, `MessageTooLong`, `BadInput`, `NotSignedIn` before anything is written, and
    `TurnInProgress` while another turn of the conversation runs.
    """
    checked = await off_loop(check, auth, send)
    engine = get_engine()
    new_turn = _new_turn(send, checked, engine)
    begun = await db.call(begin_turn, auth=auth, send=new_turn, lease=engine.lease)
    if begun.claimed is not None:
        engine.launch(begun.claimed, auth)
    return StartedTurn(begun.turn_id, send.conversation_id, begun.claimed is not None)


def _new_turn(send: Send, checked: Checked, engine: Engine) -> NewTurn:
    seed = recent_history(send.history, engine.bounds)
    state = TurnState(question=checked.text, locale=send.locale, guardrails=(checked.decision,))
    return NewTurn(
        conversation_key=send.conversation_id,
        client_id=send.client_id,
        channel=send.channel,
        text=checked.text,
        state=state.model_dump(mode="json"),
        history=tuple(PastMessage(past.role == "user", past.content) for past in seed),
    )


async def watch(auth: AuthContext, turn_id: UUID, after: int = 0) -> AsyncGenerator[Event | Heartbeat]:
    """Yield the turn's events beyond number `after`, then follow it to its terminal event.

    The caller counts as a watcher for as long as it iterates. A cursor older than the log is answered with
    the terminal event alone. Raises `NotFound` before the first event.
    """
    turn = await db.call(selectors.get_turn, auth, turn_id)
    engine = get_engine()
    following = follow(
        engine.log,
        turn_id=turn_id,
        attempt=turn.attempt,
        after=after,
        heartbeat_seconds=engine.bounds.SSE_HEARTBEAT_SECONDS,
    )
    async with aclosing(following):
        async for item in following:
            yield item


async def stop(auth: AuthContext, turn_id: UUID) -> None:
    """Ask the run to stop, in whichever process it is; a turn that has ended stays as it is.

    Raises `NotFound`.
    """
    turn = await db.call(selectors.get_turn, auth, turn_id)
    if await db.call(request_stop, turn_id):
        await get_engine().log.request_stop(str(turn_id), turn.attempt)


async def continue_turn(auth: AuthContext, turn_id: UUID) -> StartedTurn:
    """Open an interrupted turn again: one new attempt from its last saved node, numbers going on.

    Raises `NotFound`, `TurnInProgress`, and `Conflict` for a turn that is complete.
    """
    await db.call(selectors.get_turn, auth, turn_id)
    engine = get_engine()
    claimed = await db.call(claim_interrupted_turn, turn_id=turn_id, lease=engine.lease)
    engine.launch(claimed, auth)
    return StartedTurn(turn_id, claimed.conversation_key, created=True)
