"""guardrail_pre: emergencies, wishes for a person and complaints leave before anything is searched."""

from chat.turn import exits
from chat.turn.events import GuardrailDecision
from chat.turn.guardrails.acute import find_acute
from chat.turn.guardrails.requests import asks_for_person, is_complaint
from chat.turn.off_loop import off_loop
from chat.turn.runtime import TurnRuntime
from chat.turn.state import Exit, TurnState

GUARDRAIL = "hand_over"  # its name in `final.guardrail_decisions`


async def guardrail_pre(state: TurnState, _: TurnRuntime) -> TurnState:
    """Judge the member's own words; the first guardrail that fails decides the exit."""
    way_out = await off_loop(_way_out, state.question)
    decision = GuardrailDecision(
        guardrail=GUARDRAIL,
        outcome="failed" if way_out else "passed",
        detail=(way_out.template or way_out.reason) if way_out else "",
    )
    return state.model_copy(update={"exit": way_out, "guardrails": (*state.guardrails, decision)})


def _way_out(question: str) -> Exit | None:
    acute = find_acute(question)
    if acute is not None:
        return exits.escalated("acute", f"acute.{acute.kind}")
    if asks_for_person(question):
        return exits.escalated("member_asked")
    return exits.escalated("complaint") if is_complaint(question) else None
