"""build_context: the answer's prompt and the citations it offers; nothing for a turn without a model call."""

from chat.turn import context
from chat.turn.runtime import TurnRuntime
from chat.turn.state import TurnState


async def build_context(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """Build the prompt from the evidence; an exit or small talk is answered from a template."""
    if state.exit is not None or not state.knowledge.evidence:
        return state
    prompt, citations = context.build(state, runtime.bounds)
    return state.model_copy(update={"prompt": prompt, "citations": citations})
