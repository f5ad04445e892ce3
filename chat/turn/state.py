"""The state of a turn: the only thing persisted, saved once per node boundary.

It must never hold an `AuthContext`, a credential or anything that cannot be shown to an auditor.
"""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from chat.turn.events import Citation, CitationCheck, EscalationRef, GuardrailDecision
from retrieval.types import Evidence


class Frozen(BaseModel):
    # What people wrote stands in these: an error about it may be logged, so it must not quote it.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Kind(StrEnum):
    """What a turn is about; names are the wire contract's."""

    MEMBER = "member"
    MIXED = "mixed"
    KNOWLEDGE = "knowledge"
    SMALL_TALK = "small_talk"
    ACTION = "action"
    OUT_OF_SCOPE = "out_of_scope"


class Plan(Frozen):
    """The typed plan of a turn. `asked_on` is the ISO day the question is about."""

    kind: Kind
    record_parts: tuple[str, ...] = ()
    searches: tuple[str, ...] = ()
    subject: str = ""
    lang: str = "en"
    asked_on: str = ""
    source: Literal["rules", "model"] = "rules"


class Utterance(Frozen):
    """One earlier turn's half, oldest first in a history."""

    role: Literal["user", "assistant"]
    content: str


class PromptMessage(Frozen):
    role: Literal["system", "user", "assistant"]
    content: str


class Knowledge(Frozen):
    """What retrieval found for this turn; an empty `verdict` means that no search ran."""

    evidence: tuple[Evidence, ...] = ()
    verdict: str = ""
    gate_score: float | None = None
    gate_threshold: float | None = None
    score_kind: str = "fused"
    tier: str = ""
    degraded_legs: tuple[str, ...] = ()


class Exit(Frozen):
    """A decision to end without a generated answer; only `chat.turn.exits` turns it into rows and words.

    `template` names the member's sentence where it is not the reason's own (`acute.medical`).
    """

    action: Literal["escalated", "refused"]
    reason: str = ""
    template: str = ""


class Spent(Frozen):
    """What the turn has used of its bounds."""

    model_calls: int = 0
    tool_steps: int = 0
    nodes: int = 0


class TurnState(Frozen):
    question: str
    locale: str = ""
    lang: str = "en"
    history: tuple[Utterance, ...] = ()
    plan: Plan | None = None
    knowledge: Knowledge = Knowledge()
    prompt: tuple[PromptMessage, ...] = ()
    citations: tuple[Citation, ...] = ()  # offered, numbered from 1
    answer: str = ""
    incomplete: bool = False
    citation_report: tuple[CitationCheck, ...] = ()
    guardrails: tuple[GuardrailDecision, ...] = ()
    exit: Exit | None = None
    escalation: EscalationRef | None = None
    provider: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    spent: Spent = Spent()
    timings_ms: dict[str, float] = Field(default_factory=dict)
