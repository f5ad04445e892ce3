"""plan_turn: what kind of turn this is, what to search for, and for which day."""

from chat.turn import exits
from chat.turn.planner import plan_by_rules
from chat.turn.runtime import TurnRuntime
from chat.turn.state import Kind, TurnState


async def plan_turn(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """Plan by rules; a question out of scope leaves with a kind limit instead of a search."""
    plan = plan_by_rules(
        state.question,
        lang=state.lang,
        history=state.history,
        today=runtime.today,
        signed_in=runtime.auth.signed_in,
    )
    way_out = exits.refused(f"out_of_scope.{plan.subject}") if plan.kind is Kind.OUT_OF_SCOPE else None
    return state.model_copy(update={"plan": plan, "exit": way_out})
