"""Reads of conversations and turns. Nothing here writes.

What takes an `AuthContext` sees only what is the caller's, and somebody else's row reads exactly like an
unknown one. What takes a conversation wants one that was found that way. Three reads serve the turn engine,
which works everybody's turns, and are no transport's to call: `find_terminal`, `list_history`, `owner_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Subquery

from chat.models import Conversation, Message, Turn
from plancover_assist.errors import NotFound
from plancover_assist.identity.context import AuthContext, auth_context


@dataclass(frozen=True, slots=True)
class PastMessage:
    """One earlier utterance of a thread; `by_member` tells who said it."""

    by_member: bool
    text: str


def owned_by(auth: AuthContext, *, prefix: str = "") -> Q:
    """Return the filter for the caller's own threads; a visitor without a session key owns none."""
    if auth.user_id is not None:
        return Q(**{f"{prefix}owner_id": auth.user_id})
    if not auth.visitor_key:
        return Q(pk__in=[])
    return Q(**{f"{prefix}owner__isnull": True, f"{prefix}visitor_key": auth.visitor_key})


def list_conversations(auth: AuthContext) -> QuerySet[Conversation]:
    """The caller's threads, the most recently used first."""
    return Conversation.objects.filter(owned_by(auth))


def find_conversation(auth: AuthContext, client_key: str) -> Conversation | None:
    return list_conversations(auth).filter(client_key=client_key).first()


def get_conversation(auth: AuthContext, client_key: str) -> Conversation:
    """Raises `NotFound` for an unknown thread and for somebody else's alike."""
    found = find_conversation(auth, client_key)
    if found is None:
        raise NotFound
    return found


def list_messages(conversation: Conversation) -> QuerySet[Message]:
    """The thread's utterances, oldest first, each with its turn."""
    return conversation.messages.select_related("turn").order_by("id")


def get_turn(auth: AuthContext, turn_id: UUID) -> Turn:
    """Raises `NotFound` for an unknown turn and for somebody else's alike."""
    turn = Turn.objects.filter(owned_by(auth, prefix="conversation__"), pk=turn_id).first()
    if turn is None:
        raise NotFound
    return turn


def find_running_turn(conversation: Conversation) -> Turn | None:
    return conversation.turns.filter(status="running").first()


def find_terminal(turn_id: UUID) -> dict[str, Any] | None:
    """Return the event that ended the turn's latest run, as JSON data, or None while it runs."""
    terminal: dict[str, Any] | None = (
        Turn.objects.filter(pk=turn_id).values_list("terminal", flat=True).first()
    )
    return terminal


def list_history(*, turn_id: UUID, conversation_id: int, limit: int) -> Sequence[PastMessage]:
    """Return up to `limit` utterances before this turn's question, oldest first; staff's count as ours."""
    question = Message.objects.filter(turn_id=turn_id, author=Message.Author.MEMBER).values("pk")[:1]
    latest = (
        Message.objects.filter(conversation_id=conversation_id, pk__lt=Subquery(question))
        .order_by("-pk")
        .values_list("author", "text")[:limit]
    )
    return [PastMessage(author == Message.Author.MEMBER, text) for author, text in reversed(latest)]


def owner_of(thread: Conversation) -> AuthContext:
    """Return the identity that the thread's turns are carried on under, as it stands now."""
    if thread.owner is None:
        return AuthContext(visitor_key=thread.visitor_key)
    return auth_context(thread.owner)
