"""plan_turn: what kind of turn this is, what to search for, and for which day."""

from chat.turn import exits
from chat.turn.off_loop import off_loop
from chat.turn.planner import UNCOVERED, plan_by_rules
from chat.turn.runtime import TurnRuntime
from chat.turn.state import Exit, Kind, Plan, TurnState


async def plan_turn(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """Plan by rules; what is out of scope or in no paper by its nature leaves instead of being searched."""
    plan = await off_loop(
        plan_by_rules,
        state.question,
        lang=state.lang,
        history=state.history,
        today=runtime.today,
        signed_in=runtime.auth.signed_in,
    )
    return state.model_copy(update={"plan": plan, "exit": _way_out(plan)})


def _way_out(plan: Plan) -> Exit | None:
    """A wish we do not serve is refused; one that only our papers cannot meet goes to claims staff."""
    if plan.kind is not Kind.OUT_OF_SCOPE:
        return None
    if plan.subject == UNCOVERED:
        return exits.escalated("not_covered_by_sources")
    return exits.refused(f"out_of_scope.{plan.subject}")
