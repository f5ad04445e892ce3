"""Taking in a message: one send is one message and one turn, whatever races against it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from chat.models import Conversation, Message, Turn
from chat.selectors import PastMessage
from chat.services.leases import ClaimedTurn, Lease, as_claimed
from plancover_assist.errors import TurnInProgress
from plancover_assist.identity.context import AuthContext

TITLE_CHARS = 80  # of the first question; the list of conversations shows one line


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A checked message. `state` is the turn's first state as JSON data; `history` seeds a new thread."""

    conversation_key: str
    client_id: str
    channel: str
    text: str
    state: dict[str, Any]
    history: tuple[PastMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class BegunTurn:
    """`claimed` is None when the same send had already begun this turn."""

    turn_id: UUID
    claimed: ClaimedTurn | None


@transaction.atomic
def begin_turn(*, auth: AuthContext, send: NewTurn, lease: Lease) -> BegunTurn:
    """Store the message and its turn, leased to this process, or return the turn of the same send.

    Raises `TurnInProgress` while another turn of the thread runs; nothing is written then.
    """
    conversation = _open_conversation(auth, send)
    existing = _same_send(conversation, send)
    if existing is not None:
        return existing
    try:
        with transaction.atomic():
            turn = _write(conversation, send, lease)
    except IntegrityError:
        return _after_lost_race(conversation, send)
    return BegunTurn(turn.pk, as_claimed(turn))


def _open_conversation(auth: AuthContext, send: NewTurn) -> Conversation:
    visitor_key = "" if auth.signed_in else auth.visitor_key
    conversation, created = Conversation.objects.get_or_create(
        owner_id=auth.user_id,
        visitor_key=visitor_key,
        client_key=send.conversation_key,
        defaults={"tenant_id": auth.tenant_id, "title": send.text[:TITLE_CHARS]},
    )
    if created and send.history:
        Message.objects.bulk_create(_seed(conversation, past) for past in send.history)
    return conversation


def _seed(conversation: Conversation, past: PastMessage) -> Message:
    author = Message.Author.MEMBER if past.by_member else Message.Author.ASSISTANT
    return Message(conversation=conversation, author=author, text=past.text, from_client=True)


def _same_send(conversation: Conversation, send: NewTurn) -> BegunTurn | None:
    turns = Turn.objects.filter(conversation=conversation, client_id=send.client_id)
    turn_id = turns.values_list("pk", flat=True).first()
    return None if turn_id is None else BegunTurn(turn_id, None)


def _write(conversation: Conversation, send: NewTurn, lease: Lease) -> Turn:
    turn = Turn.objects.create(
        conversation=conversation,
        client_id=send.client_id,
        channel=send.channel,
        state=send.state,
        lease_owner=lease.owner,
        lease_until=Now() + timedelta(seconds=lease.seconds),
    )
    Message.objects.create(conversation=conversation, turn=turn, author=Message.Author.MEMBER, text=send.text)
    Conversation.objects.filter(pk=conversation.pk).update(updated_at=Now())
    return turn


def _after_lost_race(conversation: Conversation, send: NewTurn) -> BegunTurn:
    """Either constraint may have fired first: the same send won, or another turn is running."""
    existing = _same_send(conversation, send)
    if existing is None:
        raise TurnInProgress
    return existing
