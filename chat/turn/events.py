"""The numbered events of a turn: a closed union of frozen models.

WebSocket frames and SSE records carry this same JSON. `docs/events.md` lists the types and fields and a
test compares the two. Nothing here decides when an event is sent.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Part = Literal["member", "general"]


class Frozen(BaseModel):
    # What people wrote stands in these: an error about it may be logged, so it must not quote it.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Citation(Frozen):
    """One numbered source as the page shows it; `n` counts from 1 and never re-orders once shown."""

    n: int
    doc_id: str
    title: str
    clause: str = ""
    page: int | None = None
    quote: str = ""
    effective_from: str = ""  # ISO date
    version: str = ""
    owner: Literal["public", "employer"] = "public"  # whose paper: everybody's, or the asker's employer's


class Gate(Frozen):
    passed: bool
    score: float | None = None
    score_kind: str = "fused"  # fused | cross_encoder
    threshold: float | None = None


class Rewrite(Frozen):
    text: str = ""
    skipped_reason: str = ""


class Cache(Frozen):
    hit: Literal["none", "exact", "semantic"] = "none"


class EscalationRef(Frozen):
    id: int
    reference: str
    reason: str


class AnswerPart(Frozen):
    part: Part
    text: str


class CitationCheck(Frozen):
    """One sentence of the answer against the source it cites."""

    n: int
    claim: str
    supported: bool
    problem: str = ""


class GuardrailDecision(Frozen):
    guardrail: str
    outcome: Literal["passed", "failed", "flagged"]
    detail: str = ""


class ToolOutcome(Frozen):
    name: str
    code: str


class Envelope(Frozen):
    """Fields of every event. `seq` counts from 1 through pauses and resumes; `at` is an ISO time."""

    turn_id: str
    seq: int
    attempt: int
    at: str


class TurnStarted(Envelope):
    type: Literal["turn_started"] = "turn_started"
    conversation_id: str
    client_id: str


class Progress(Envelope):
    type: Literal["progress"] = "progress"
    step: str
    text: str


class Meta(Envelope):
    type: Literal["meta"] = "meta"
    citations: tuple[Citation, ...] = ()
    gate: Gate
    rewrite: Rewrite = Rewrite()
    cache: Cache = Cache()
    tier: str = ""
    degraded_legs: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ("general",)


class Delta(Envelope):
    type: Literal["delta"] = "delta"
    text: str
    part: Part = "general"


class FinalBody(Frozen):
    """Everything a client needs to know about how a run ended; also what `ask --json` prints."""

    answer: str
    action: str
    plan: dict[str, Any] | None = None
    route: str = ""
    lang: str = "en"
    parts: tuple[AnswerPart, ...] = ()
    citations: tuple[Citation, ...] = ()
    citation_report: tuple[CitationCheck, ...] = ()
    guardrail_decisions: tuple[GuardrailDecision, ...] = ()
    tools: tuple[ToolOutcome, ...] = ()
    escalation: EscalationRef | None = None
    tier: str = ""
    degraded_legs: tuple[str, ...] = ()
    provider: str = ""
    tokens: dict[str, int] = Field(default_factory=dict)
    cost: float = 0.0  # US dollars
    timings: dict[str, float] = Field(default_factory=dict)  # milliseconds
    trace_id: str = ""
    incomplete: bool = False


class Final(FinalBody, Envelope):
    type: Literal["final"] = "final"


class TurnError(Envelope):
    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool
    escalation: EscalationRef | None = None


class AuthRequired(Envelope):
    type: Literal["auth_required"] = "auth_required"
    resume_token: str
    sign_in_url: str
    part_answered: bool


class ConfirmationField(Frozen):
    label: str
    value: str


class ConfirmationRequired(Envelope):
    type: Literal["action.confirmation_required"] = "action.confirmation_required"
    confirmation_id: str
    tool: str
    title: str
    fields: tuple[ConfirmationField, ...]
    expires_at: str


class Paused(Envelope):
    type: Literal["paused"] = "paused"
    reason: Literal["review"]
    message: str


class GraphTopology(Envelope):
    type: Literal["graph_topology"] = "graph_topology"
    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    flags: dict[str, bool]


class NodeStarted(Envelope):
    type: Literal["node_started"] = "node_started"
    node: str
    run_id: str
    ts_ms: int


class NodeCompleted(Envelope):
    type: Literal["node_completed"] = "node_completed"
    node: str
    run_id: str
    status: Literal["executed", "skipped"]
    duration_ms: float


class TurnCompleted(FinalBody, Envelope):
    type: Literal["turn_completed"] = "turn_completed"
    human_wait_ms: float = 0.0


class Heartbeat(Frozen):
    """Sent in silence so that a connection stays open. It is no part of the log and has no number."""

    type: Literal["heartbeat"] = "heartbeat"
    turn_id: str


Event = Annotated[
    TurnStarted
    | Progress
    | Meta
    | Delta
    | Final
    | TurnError
    | AuthRequired
    | ConfirmationRequired
    | Paused
    | GraphTopology
    | NodeStarted
    | NodeCompleted
    | TurnCompleted,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
TERMINAL_TYPES = frozenset({"final", "auth_required", "action.confirmation_required", "paused", "error"})
TRACE_TYPES = frozenset({"graph_topology", "node_started", "node_completed", "turn_completed"})
