"""What goes into and comes out of a search. Values only; nothing here touches the database."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from plancover_assist.identity.context import TenantScope


class Tier(StrEnum):
    """How the order of the evidence was found; shown with every answer."""

    CROSS_ENCODER = "cross_encoder"
    FEATURES = "features"
    FUSION_ONLY = "fusion_only"
    KEYWORD_ONLY = "keyword_only"
    VECTOR_ONLY = "vector_only"


class Verdict(StrEnum):
    """The gate's decision; all but `PASSED` are escalation reasons of the same name."""

    PASSED = "passed"
    NO_RESULTS = "no_results"
    LOW_CONFIDENCE = "low_confidence"
    NOT_COVERED_BY_SOURCES = "not_covered_by_sources"


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One standalone question. `on` is the day asked about; `lang` is en, hi or hinglish."""

    text: str
    scope: TenantScope
    on: date
    lang: str


class Evidence(BaseModel):
    """One chunk offered to the answer, best first. `score` is fused (about 0.7 to 1.2), `text` the
    chunk's own text without its heading path."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_id: int
    doc_id: str
    title: str
    doc_type: str
    owner: str  # `public` or a tenant's id
    lang: str
    clause: str = ""
    heading: str = ""
    page: int | None = None
    text: str
    effective_from: str = ""  # ISO date
    version: str = ""
    score: float


@dataclass(frozen=True, slots=True)
class GateDecision:
    verdict: Verdict
    score: float | None
    score_kind: str  # fused | cross_encoder
    threshold: float | None

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.PASSED


@dataclass(frozen=True, slots=True)
class SearchResult:
    """At most five pieces of evidence, the gate's decision, and how it was found.

    `degraded_legs` names the legs that failed (`vector`, `keyword`); `timings_ms` is by stage.
    """

    evidence: tuple[Evidence, ...]
    gate: GateDecision
    tier: Tier
    degraded_legs: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
