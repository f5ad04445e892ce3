"""Saving a turn: after each node, and at the end of a run. Nothing here decides; it only writes."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now

from chat.models import Conversation, Message, TurnStatus
from chat.services.leases import Hold, LeaseLost

# One statement, so that state, step, next node and lease are saved together or not at all, at the cost of
# one round trip a node.
_SAVE_BOUNDARY = """
    WITH saved AS (
        UPDATE chat_turn
           SET state = %(state)s::jsonb, node = %(next_node)s, last_seq = %(last_seq)s,
               lease_until = now() + make_interval(secs => %(seconds)s)
         WHERE id = %(turn_id)s AND attempt = %(attempt)s AND lease_owner = %(owner)s AND status = 'running'
        RETURNING id, stop_requested
    ), step AS (
        INSERT INTO chat_turnstep (turn_id, attempt, number, node, next_node, duration_ms, created_at)
        SELECT id, %(attempt)s, %(number)s, %(node)s, %(next_node)s, %(duration_ms)s, now() FROM saved
    )
    SELECT stop_requested FROM saved
"""


@dataclass(frozen=True, slots=True)
class Boundary:
    """One executed node. `number` counts from 1 in the attempt; `state` is JSON text."""

    number: int
    node: str
    next_node: str
    duration_ms: float
    state: str
    last_seq: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended for its watchers, and what the member was shown. `terminal` is the event's data."""

    status: TurnStatus
    action: str
    reason: str
    terminal: dict[str, Any]
    last_seq: int
    answer: str
    lang: str
    citations: list[dict[str, Any]]
    incomplete: bool


def save_boundary(hold: Hold, boundary: Boundary) -> bool:
    """Save state, step, next node and lease in one statement; tell whether a stop was asked for.

    Raises `LeaseLost` when the turn is not ours any more; nothing is written then.
    """
    values: dict[str, UUID | str | int | float] = {
        "turn_id": hold.turn_id,
        "attempt": hold.attempt,
        "owner": hold.lease.owner,
        "seconds": hold.lease.seconds,
        "number": boundary.number,
        "node": boundary.node,
        "next_node": boundary.next_node,
        "duration_ms": boundary.duration_ms,
        "state": boundary.state,
        "last_seq": boundary.last_seq,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SAVE_BOUNDARY, values)
        row = cursor.fetchone()
    if row is None:
        raise LeaseLost
    return bool(row[0])


@transaction.atomic
def end_run(hold: Hold, ending: Ending) -> None:
    """Store the terminal event and exactly the words the member was shown. Raises `LeaseLost`."""
    ended = hold.rows.update(
        status=ending.status,
        action=ending.action,
        reason=ending.reason,
        terminal=ending.terminal,
        last_seq=ending.last_seq,
        lease_owner="",
        lease_until=None,
        ended_at=Now(),
    )
    if not ended:
        raise LeaseLost
    _store_answer(hold, ending)


def _store_answer(hold: Hold, ending: Ending) -> None:
    words = {
        "text": ending.answer,
        "lang": ending.lang,
        "citations": ending.citations,
        "incomplete": ending.incomplete,
    }
    if not _replace_earlier_answer(hold, words) and ending.answer:
        Message.objects.create(
            conversation_id=hold.conversation_id,
            turn_id=hold.turn_id,
            author=Message.Author.ASSISTANT,
            **words,
        )
    Conversation.objects.filter(pk=hold.conversation_id).update(updated_at=Now())


def _replace_earlier_answer(hold: Hold, words: dict[str, Any]) -> bool:
    """Replace what an earlier attempt left unfinished, even where this one got no word out."""
    if hold.attempt == 1:
        return False
    answers = Message.objects.filter(turn_id=hold.turn_id, author=Message.Author.ASSISTANT)
    return bool(answers.update(**words))
