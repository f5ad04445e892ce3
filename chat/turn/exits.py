"""The one way out of a turn without a generated answer.

It alone opens the escalation, names the action and finds the member's sentence, so that the three cannot
disagree. Who speaks the sentence, and when, is the runner's business.
"""

from dataclasses import dataclass

from chat.turn.runtime import TurnRuntime
from chat.turn.sentences import sentence
from chat.turn.state import Exit, TurnState


@dataclass(frozen=True, slots=True)
class Outcome:
    """What trace, turn row and terminal event say about an ending."""

    action: str
    reason: str = ""


async def leave(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """Take the exit that `state.exit` names: open the escalation it asks for and set the words.

    Repeating it (a turn resumed after a crash) finds the same escalation again.
    """
    if state.exit is None:
        raise ValueError("no exit was decided")
    escalation = None
    if state.exit.action == "escalated":
        escalation = await runtime.records.escalate(
            reason=state.exit.reason, question=state.question, lang=state.lang
        )
    words = sentence(
        state.exit.template or state.exit.reason,
        state.lang,
        reference=escalation.reference if escalation else "",
    )
    return state.model_copy(
        update={"answer": words, "escalation": escalation, "citations": (), "citation_report": ()}
    )


def escalated(reason: str, template: str = "") -> Exit:
    return Exit(action="escalated", reason=reason, template=template)


def refused(template: str) -> Exit:
    return Exit(action="refused", template=template)


def outcome(state: TurnState) -> Outcome:
    """How a turn that reached its end has ended."""
    if state.exit is None:
        return Outcome("answered")
    return Outcome(state.exit.action, state.exit.reason)
