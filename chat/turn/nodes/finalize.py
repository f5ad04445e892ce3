"""finalize: the answer as it will be remembered, with the sources it really cites."""

from chat.turn.citation_checks import cited_numbers
from chat.turn.runtime import TurnRuntime
from chat.turn.state import TurnState


async def finalize(state: TurnState, _: TurnRuntime) -> TurnState:
    """Keep the citations that the words use, under the numbers they were offered with."""
    used = cited_numbers(state.answer)
    kept = tuple(citation for citation in state.citations if citation.n in used)
    return state.model_copy(update={"citations": kept})
