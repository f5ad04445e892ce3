"""guardrail_post: holds the finished answer against its sources. It flags; it never changes the words."""

from collections.abc import Mapping, Sequence

from chat.turn.citation_checks import check_citations
from chat.turn.events import GuardrailDecision
from chat.turn.off_loop import off_loop
from chat.turn.runtime import TurnRuntime
from chat.turn.state import PromptMessage, TurnState
from plancover_assist.fencing import SOURCE_TAG, parse_fences


async def guardrail_post(state: TurnState, _: TurnRuntime) -> TurnState:
    """Check every cited sentence against the text the model was shown; exits and small talk cite nothing."""
    if state.exit is not None or not state.prompt:
        return state
    report = await off_loop(check_citations, state.answer, _shown_sources(state.prompt))
    problems = sorted({check.problem for check in report if check.problem}) or ["uncited"] * (not report)
    decision = GuardrailDecision(
        guardrail="citations",
        outcome="flagged" if problems else "passed",
        detail=", ".join(problems),
    )
    return state.model_copy(update={"citation_report": report, "guardrails": (*state.guardrails, decision)})


def _shown_sources(prompt: Sequence[PromptMessage]) -> Mapping[int, str]:
    fenced = [one for message in prompt if message.role == "user" for one in parse_fences(message.content)]
    return {int(one.attributes["n"]): one.text for one in fenced if one.tag == SOURCE_TAG}
