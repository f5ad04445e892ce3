"""Writes of the audit trail. Rows are only ever added."""

from dataclasses import asdict, dataclass, field
from uuid import UUID

from audit.models import TurnTrace


@dataclass(frozen=True, slots=True)
class Trace:
    """How one run ended; timings in milliseconds by node or stage. Never what was said."""

    turn_id: UUID
    attempt: int
    channel: str
    action: str
    tenant_id: str = ""
    plan_kind: str = ""
    lang: str = ""
    reason: str = ""
    tier: str = ""
    degraded_legs: list[str] = field(default_factory=list)
    gate_score: float | None = None
    gate_threshold: float | None = None
    provider: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    timings_ms: dict[str, float] = field(default_factory=dict)


def record_trace(trace: Trace) -> None:
    """Add the trace of one run."""
    TurnTrace.objects.create(**asdict(trace))
