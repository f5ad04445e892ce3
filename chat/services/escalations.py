"""Handing a turn over to claims staff. Only the turn's exits call this."""

import secrets
from uuid import UUID

from chat.models import Escalation, Turn

# No 0/O, 1/I/L or vowels: read out over a telephone, and never a word.
_ALPHABET = "23456789BCDFGHJKMNPQRSTVWXZ"
_LENGTH = 8  # 27^8, about 2.8e11: a clash is not expected in the product's life


def open_escalation(*, turn_id: UUID, reason: str, question: str, lang: str) -> Escalation:
    """Return the turn's one escalation, opening it when there is none; a repeat changes nothing."""
    turn = Turn.objects.select_related("conversation").get(pk=turn_id)
    escalation, _ = Escalation.objects.get_or_create(
        turn=turn,
        defaults={
            "conversation": turn.conversation,
            "tenant_id": turn.conversation.tenant_id,
            "reference": new_reference(),
            "reason": reason,
            "question": question,
            "lang": lang,
        },
    )
    return escalation


def new_reference() -> str:
    """Return a reference a member can read out, such as `PC-7K3M9QXD`."""
    return "PC-" + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
