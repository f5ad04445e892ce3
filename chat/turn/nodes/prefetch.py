"""prefetch: one search of the knowledge, for the day asked about, and the gate's verdict on it."""

from datetime import date

from chat.turn import exits
from chat.turn.runtime import TurnRuntime
from chat.turn.state import Exit, Knowledge, TurnState
from retrieval.types import SearchQuery, SearchResult


async def prefetch(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """Search; below the gate the turn will abstain for the gate's reason, without a model call."""
    found = await runtime.search(_query(state, runtime))
    timings = {f"search.{stage}": ms for stage, ms in found.timings_ms.items()}
    return state.model_copy(
        update={
            "knowledge": _knowledge(found),
            "exit": _way_out(found),
            "timings_ms": {**state.timings_ms, **timings},
        }
    )


def _query(state: TurnState, runtime: TurnRuntime) -> SearchQuery:
    plan = state.plan
    return SearchQuery(
        text=plan.searches[0] if plan and plan.searches else state.question,
        scope=runtime.auth.scope,
        on=date.fromisoformat(plan.asked_on) if plan and plan.asked_on else runtime.today,
        lang=state.lang,
    )


def _way_out(found: SearchResult) -> Exit | None:
    return None if found.gate.passed else exits.escalated(str(found.gate.verdict))


def _knowledge(found: SearchResult) -> Knowledge:
    return Knowledge(
        evidence=found.evidence,
        verdict=str(found.gate.verdict),
        gate_score=found.gate.score,
        gate_threshold=found.gate.threshold,
        score_kind=found.gate.score_kind,
        tier=str(found.tier),
        degraded_legs=found.degraded_legs,
    )
