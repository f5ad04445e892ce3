"""Turns the end of a run into its terminal event, its rows and its trace. Values only; nothing is written.

Four endings: complete, stopped (by the member or for want of a watcher), broken off after visible text, and
failed. All but the first are kept as interrupted, so that the member can have the turn tried again.
"""

from dataclasses import dataclass

from audit.services import Trace
from chat.models import TurnStatus
from chat.services.boundaries import Ending
from chat.services.leases import ClaimedTurn
from chat.turn import exits
from chat.turn.citation_checks import cited_numbers
from chat.turn.emitter import Emitter
from chat.turn.events import AnswerPart, Final, FinalBody, TurnError
from chat.turn.exits import Outcome
from chat.turn.runtime import TurnRuntime
from chat.turn.state import Kind, TurnState

STOPPED = Outcome("stopped")
FAILED = Outcome("error")
BROKEN_OFF = Outcome("error", "generation_failed")


@dataclass(frozen=True, slots=True)
class Closed:
    """A run's terminal event, not yet numbered for others, and how the trace will name it."""

    event: Final | TurnError
    outcome: Outcome
    status: TurnStatus
    state: TurnState  # with the answer and the citations as the member was shown them

    def as_ending(self) -> Ending:
        """The rows' view of it."""
        return Ending(
            status=self.status,
            action=self.outcome.action,
            reason=self.outcome.reason,
            terminal=self.event.model_dump(mode="json"),
            last_seq=self.event.seq,
            answer=self.state.answer,
            lang=self.state.lang,
            citations=[one.model_dump(mode="json") for one in self.state.citations],
            incomplete=self.state.incomplete,
        )


def complete(state: TurnState, runtime: TurnRuntime, emitter: Emitter) -> Closed:
    """The run reached its end: an answer, an abstention, a hand-over or a refusal."""
    outcome = exits.outcome(state)
    return _final(state, runtime, emitter, outcome, TurnStatus.ENDED)


def stopped(state: TurnState, shown: str, runtime: TurnRuntime, emitter: Emitter) -> Closed:
    """Cut short: what was said is kept and marked."""
    return _final(_cut_short(state, shown), runtime, emitter, STOPPED, TurnStatus.INTERRUPTED)


def broken(state: TurnState, shown: str, emitter: Emitter, message: str) -> Closed:
    """Failed: with visible text it is kept, marked and escalated; without, there is only the error."""
    outcome = BROKEN_OFF if shown else FAILED
    event = emitter.build(
        TurnError,
        code=outcome.reason or "turn_failed",
        message=message,
        retryable=True,
        escalation=state.escalation,
    )
    return Closed(event, outcome, TurnStatus.INTERRUPTED, _cut_short(state, shown))


def trace(closed: Closed, claimed: ClaimedTurn, runtime: TurnRuntime) -> Trace:
    """How the run went, without a word of what was said."""
    state = closed.state
    return Trace(
        turn_id=claimed.turn_id,
        attempt=claimed.attempt,
        channel=claimed.channel,
        action=closed.outcome.action,
        reason=closed.outcome.reason,
        tenant_id=runtime.auth.tenant_id or "",
        plan_kind=str(state.plan.kind) if state.plan else "",
        lang=state.lang,
        tier=state.knowledge.tier,
        degraded_legs=list(state.knowledge.degraded_legs),
        gate_score=state.knowledge.gate_score,
        gate_threshold=state.knowledge.gate_threshold,
        provider=state.provider,
        tokens_in=state.tokens_in,
        tokens_out=state.tokens_out,
        timings_ms=state.timings_ms,
    )


def _final(
    state: TurnState, runtime: TurnRuntime, emitter: Emitter, outcome: Outcome, status: TurnStatus
) -> Closed:
    event = emitter.build(Final, **dict(_body(state, runtime, outcome)))
    return Closed(event, outcome, status, state)


def _body(state: TurnState, runtime: TurnRuntime, outcome: Outcome) -> FinalBody:
    return FinalBody(
        answer=state.answer,
        action=outcome.action,
        plan=state.plan.model_dump(mode="json") if state.plan else None,
        route=_route(state, outcome),
        lang=state.lang,
        parts=(AnswerPart(part="general", text=state.answer),) if state.answer else (),
        citations=state.citations,
        citation_report=state.citation_report,
        guardrail_decisions=state.guardrails,
        escalation=state.escalation,
        tier=state.knowledge.tier,
        degraded_legs=state.knowledge.degraded_legs,
        provider=state.provider,
        tokens={"in": state.tokens_in, "out": state.tokens_out},
        cost=state.cost,
        timings=state.timings_ms,
        trace_id=runtime.request_id,
        incomplete=state.incomplete,
    )


def _route(state: TurnState, outcome: Outcome) -> str:
    """An emergency, or the plan's kind; a wish for a person leaves before the plan and is an action."""
    if outcome.reason == "acute":
        return "acute"
    if outcome.reason in ("member_asked", "complaint"):
        return str(Kind.ACTION)
    return str(state.plan.kind) if state.plan else ""


def _cut_short(state: TurnState, shown: str) -> TurnState:
    """The state of an unfinished answer: what was shown, the sources it had cited, and no exit."""
    used = cited_numbers(shown)
    cited = tuple(citation for citation in state.citations if citation.n in used)
    return state.model_copy(update={"answer": shown, "incomplete": True, "exit": None, "citations": cited})
