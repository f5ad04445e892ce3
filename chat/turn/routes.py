"""Where a turn goes after each node: pure functions of the state. No model is asked, nothing is read."""

from chat.turn.state import Kind, TurnState

END = "end"
UNSEARCHED = frozenset({Kind.SMALL_TALK, Kind.OUT_OF_SCOPE})


def after_prepare(state: TurnState) -> str:
    return "escalate" if state.exit else "guardrail_pre"


def after_guardrail_pre(state: TurnState) -> str:
    """An emergency or a wish for a person leaves at once; a refusal is still said through the answer."""
    if state.exit is None:
        return "plan_turn"
    return "escalate" if state.exit.action == "escalated" else "build_context"


def after_plan_turn(state: TurnState) -> str:
    searched = state.exit is None and state.plan is not None and state.plan.kind not in UNSEARCHED
    return "prefetch" if searched else "build_context"


def after_prefetch(_: TurnState) -> str:
    return "build_context"


def after_build_context(_: TurnState) -> str:
    return "answer"


def after_answer(state: TurnState) -> str:
    """An answer that failed from outside (a time-out) still has to take its exit."""
    return "escalate" if state.exit and not state.answer else "guardrail_post"


def after_guardrail_post(_: TurnState) -> str:
    return "finalize"


def after_finalize(_: TurnState) -> str:
    return END


def after_escalate(_: TurnState) -> str:
    return END
