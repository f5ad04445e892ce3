"""The turn's rows behind the `Records` protocol: the services, reached over the database bridge."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from chat import selectors
from chat.services.escalations import open_escalation
from chat.turn.events import EscalationRef
from chat.turn.state import Utterance
from plancover_assist import db


@dataclass(frozen=True, slots=True)
class DatabaseRecords:
    """The rows of one turn."""

    turn_id: UUID
    conversation_id: int

    async def history(self, limit: int) -> Sequence[Utterance]:
        past = await db.call(
            selectors.list_history,
            turn_id=self.turn_id,
            conversation_id=self.conversation_id,
            limit=limit,
        )
        return [Utterance(role="user" if one.by_member else "assistant", content=one.text) for one in past]

    async def escalate(self, *, reason: str, question: str, lang: str) -> EscalationRef:
        row = await db.call(
            open_escalation, turn_id=self.turn_id, reason=reason, question=question, lang=lang
        )
        return EscalationRef(id=row.pk, reference=row.reference, reason=row.reason)
