"""What a run is handed and never persists: who asks, the limits, and the gateways.

Everything a node may reach outside its state is here, as a Protocol or a callable, so that a node can be run
with fakes and without a database. Nothing of this module may be serialised.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol
from uuid import UUID

from chat.turn.events import EscalationRef, Part
from chat.turn.state import Utterance
from plancover_assist.identity.context import AuthContext
from plancover_assist.llm.types import Models
from plancover_assist.settings.bounds import Bounds
from retrieval.types import SearchQuery, SearchResult

Search = Callable[[SearchQuery], Awaitable[SearchResult]]


class Records(Protocol):
    """The turn's own rows, as far as nodes and exits need them."""

    async def history(self, limit: int) -> Sequence[Utterance]:
        """Return up to `limit` latest utterances of the thread before this turn, oldest first."""
        ...

    async def escalate(self, *, reason: str, question: str, lang: str) -> EscalationRef:
        """Return the turn's one escalation, opening it when there is none."""
        ...


class Voice(Protocol):
    """Speaks to the member. Handed to the answer node alone."""

    async def say(self, text: str, part: Part = "general") -> None:
        """Show a piece of the answer. Raises `ForeignSpeaker` when any other node uses it."""
        ...


@dataclass(frozen=True, slots=True)
class TurnRuntime:
    """One run's surroundings. `today` is the product's own day, which demo data may set."""

    auth: AuthContext = field(repr=False)
    turn_id: UUID
    conversation_id: str
    channel: str
    request_id: str
    today: date
    bounds: Bounds
    search: Search
    models: Models
    records: Records
