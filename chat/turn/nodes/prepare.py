"""prepare: the thread so far, and the language of the question."""

from chat.turn.context import recent_history
from chat.turn.runtime import TurnRuntime
from chat.turn.state import TurnState
from plancover_assist.text.language import detect


async def prepare(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """The server's history is authoritative; what a client sent along has seeded the thread already."""
    past = await runtime.records.history(2 * runtime.bounds.MAX_HISTORY_TURNS)
    history = recent_history(past, runtime.bounds)
    return state.model_copy(update={"history": history, "lang": str(detect(state.question))})
