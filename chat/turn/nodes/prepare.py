"""prepare: the thread so far, the question's language, and the day it is about."""

from chat.turn.context import recent_history
from chat.turn.runtime import TurnRuntime
from chat.turn.state import TurnState
from plancover_assist.text.dates import find_date
from plancover_assist.text.language import detect


async def prepare(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """The server's history is authoritative; a question that names no day is about today."""
    past = await runtime.records.history(2 * runtime.bounds.MAX_HISTORY_TURNS)
    day = find_date(state.question, today=runtime.today) or runtime.today
    return state.model_copy(
        update={
            "history": recent_history(past, runtime.bounds),
            "lang": str(detect(state.question)),
            "asked_on": day.isoformat(),
        }
    )
