"""Fakes for the turn's gateways, and an engine made of them. Rows and logs in these tests are real."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from pydantic import BaseModel

from chat.turn import service
from chat.turn.engine import Engine, process_lease
from chat.turn.events import Envelope, EscalationRef, Event, Final, Heartbeat, TurnError
from chat.turn.log.base import TurnLog
from chat.turn.log.in_process import InProcessLog
from chat.turn.runtime import TurnRuntime
from chat.turn.sends import Send
from chat.turn.state import Utterance
from plancover_assist.errors import ModelUnavailable
from plancover_assist.identity.context import AuthContext
from plancover_assist.llm.types import (
    AnswerModel,
    Completed,
    ModelRequest,
    Models,
    StreamPart,
    TextChunk,
    Usage,
)
from plancover_assist.settings.bounds import Bounds
from retrieval.types import Evidence, GateDecision, SearchQuery, SearchResult, Tier, Verdict

K = TypeVar("K", bound=Envelope)
Structured = TypeVar("Structured", bound=BaseModel)
Step = str | Exception | asyncio.Event | float

CATARACT = Evidence(
    chunk_id=1,
    doc_id="A-SCHED",
    title="Policy schedule",
    doc_type="schedule",
    owner="ten_a",
    lang="en",
    clause="4.7",
    text="Cataract surgery is covered up to ₹40,000 per eye.",
    effective_from="2026-09-01",
    version="2",
    score=1.1,
)
QUESTION = "What is the cataract limit per eye?"
WORDS = ("The limit ", "is ₹40,000 ", "per eye. [1]")


class ScriptedModel:
    """Streams its script: texts, pauses in seconds, events to wait for, errors to raise.

    Remembers the calls, and how many of their streams are still open.
    """

    def __init__(self, *script: Step, name: str = "scripted") -> None:
        self._script = script
        self._name = name
        self.requests: list[ModelRequest] = []
        self.open = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        self.requests.append(request)
        self.open += 1
        try:
            async for part in self._play():
                yield part
        finally:
            self.open -= 1

    async def _play(self) -> AsyncGenerator[StreamPart]:
        for step in self._script:
            if isinstance(step, Exception):
                raise step
            if isinstance(step, asyncio.Event):
                await step.wait()
            elif isinstance(step, float):
                await asyncio.sleep(step)
            else:
                yield TextChunk(step)
        yield Completed(self._name, Usage(tokens_in=10, tokens_out=len(self._script)))


class NoGather:
    """The gather role of a turn whose plan comes from rules."""

    async def complete(self, request: ModelRequest, schema: type[Structured]) -> Structured:
        raise ModelUnavailable


class NoRecords:
    """The rows of a turn that has none."""

    async def history(self, limit: int) -> Sequence[Utterance]:
        return ()

    async def escalate(self, *, reason: str, question: str, lang: str) -> EscalationRef:
        raise AssertionError("nothing was to be handed over")


@dataclass
class ScriptedSearch:
    """Answers every query with one result, or raises; remembers the queries."""

    result: SearchResult | Exception
    queries: list[SearchQuery] = field(default_factory=list)

    async def __call__(self, query: SearchQuery) -> SearchResult:
        self.queries.append(query)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def found(*evidence: Evidence) -> SearchResult:
    gate = GateDecision(Verdict.PASSED, 1.1, "fused", 0.9)
    return SearchResult(evidence=evidence or (CATARACT,), gate=gate, tier=Tier.FEATURES)


def weak(verdict: Verdict) -> SearchResult:
    gate = GateDecision(verdict, 0.2, "fused", 0.9)
    return SearchResult(evidence=(CATARACT,), gate=gate, tier=Tier.FEATURES)


def make_engine(
    *script: Step,
    log: TurnLog | None = None,
    search: SearchResult | Exception | None = None,
    model: ScriptedModel | None = None,
    **bounds: int,
) -> Engine:
    """An engine of the running loop's own: real rows, scripted gateways, and any bounds set otherwise."""
    answer = model or ScriptedModel(*(script or WORDS))
    return Engine(
        log=log or InProcessLog(),
        search=ScriptedSearch(search or found()),
        models=Models(gather=NoGather(), answer=answer),
        bounds=Bounds(**bounds),
        today=lambda: date(2026, 11, 30),
        lease=process_lease(),
    )


def new_runtime(model: AnswerModel | None = None) -> TurnRuntime:
    """The surroundings of a node that is run by itself."""
    return TurnRuntime(
        auth=AuthContext(),
        turn_id=uuid.uuid4(),
        conversation_id="thread",
        channel="web",
        request_id="request",
        today=date(2026, 11, 30),
        bounds=Bounds(),
        search=ScriptedSearch(found()),
        models=Models(gather=NoGather(), answer=model or ScriptedModel(*WORDS)),
        records=NoRecords(),
    )


def visitor() -> AuthContext:
    return AuthContext(visitor_key=uuid.uuid4().hex)


def new_send(text: str = QUESTION, **changes: Any) -> Send:
    fields: dict[str, Any] = {
        "conversation_id": uuid.uuid4().hex,
        "client_id": uuid.uuid4().hex,
        "text": text,
    }
    return Send(**{**fields, **changes})


async def watch_all(auth: AuthContext, turn_id: uuid.UUID, after: int = 0) -> list[Event]:
    """Watch to the end; heartbeats are left out."""
    return [item async for item in service.watch(auth, turn_id, after) if not isinstance(item, Heartbeat)]


async def watch_until(
    auth: AuthContext, turn_id: uuid.UUID, wanted: Callable[[Event], bool], after: int = 0
) -> list[Event]:
    """Watch up to and including the first event that is `wanted`, then leave."""
    seen: list[Event] = []
    async with aclosing(service.watch(auth, turn_id, after)) as events:
        async for item in events:
            if isinstance(item, Heartbeat):
                continue
            seen.append(item)
            if wanted(item):
                break
    return seen


def ending(events: Sequence[Event], kind: type[K]) -> K:
    """Return the last event, which must be of this kind."""
    assert isinstance(events[-1], kind), events[-1]
    return events[-1]


def escalation_of(events: Sequence[Event]) -> EscalationRef:
    """Return the escalation that the terminal event names."""
    last = events[-1]
    assert isinstance(last, Final | TurnError)
    assert last.escalation is not None
    return last.escalation


def only(kind: type[K], events: Sequence[Event]) -> K:
    """Return the one event of this kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event


def is_delta(event: Event) -> bool:
    return event.type == "delta"


def text_of(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if event.type == "delta")


def types_of(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]


def numbers_of(events: Sequence[Event]) -> list[int]:
    return [event.seq for event in events]
