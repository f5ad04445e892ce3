"""Who works a turn: a lease held by one process, renewed at each boundary, taken over when it runs out.

The database's clock decides, so processes with different clocks agree. Every write to a running turn is
conditional on its lease; a process that lost it can change nothing any more.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from chat.models import Turn, TurnStatus
from chat.selectors import owner_of
from plancover_assist.errors import Conflict, TurnInProgress
from plancover_assist.identity.context import AuthContext


class LeaseLost(Exception):
    """Another process works this turn now, or it has ended; the holder must fall silent."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who asks to hold turns, and for how many seconds at a time."""

    owner: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Hold:
    """One process's hold on one attempt of a turn."""

    turn_id: UUID
    conversation_id: int
    attempt: int
    lease: Lease

    @property
    def rows(self) -> QuerySet[Turn]:
        """The turn, as long as it is still ours."""
        return Turn.objects.filter(
            pk=self.turn_id, attempt=self.attempt, lease_owner=self.lease.owner, status=TurnStatus.RUNNING
        )


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """Everything a run starts from. `state` is JSON data; `age_seconds` counts from the send."""

    turn_id: UUID
    conversation_id: int
    conversation_key: str
    client_id: str
    channel: str
    node: str
    state: dict[str, Any]
    attempt: int
    last_seq: int
    age_seconds: float = 0.0
    stop_requested: bool = False


@dataclass(frozen=True, slots=True)
class LostTurn:
    """A turn taken over from a process that has gone, and whose it is."""

    claimed: ClaimedTurn
    owner: AuthContext


def as_claimed(turn: Turn, *, age_seconds: float = 0.0) -> ClaimedTurn:
    return ClaimedTurn(
        turn_id=turn.pk,
        conversation_id=turn.conversation_id,
        conversation_key=turn.conversation.client_key,
        client_id=turn.client_id,
        channel=turn.channel,
        node=turn.node,
        state=turn.state,
        attempt=turn.attempt,
        last_seq=turn.last_seq,
        age_seconds=age_seconds,
        stop_requested=turn.stop_requested,
    )


def renew_lease(hold: Hold) -> bool:
    """Prolong the hold and tell whether a stop was asked for. Raises `LeaseLost`."""
    if not hold.rows.update(lease_until=Now() + timedelta(seconds=hold.lease.seconds)):
        raise LeaseLost
    return hold.rows.values_list("stop_requested", flat=True).first() or False


@transaction.atomic
def claim_lost_turns(*, lease: Lease, limit: int) -> list[LostTurn]:
    """Take over up to `limit` turns whose process has gone, each as a new attempt, longest lost first.

    Two sweeps never take the same turn: rows that another one is looking at are skipped.
    """
    lost = (
        Turn.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("conversation__owner")
        .annotate(now=Now())
        .filter(status=TurnStatus.RUNNING, lease_until__lt=Now())
        .order_by("lease_until")[:limit]
    )
    return [_take_over(turn, lease) for turn in lost]


def _take_over(turn: Any, lease: Lease) -> LostTurn:
    # `Any`: the row carries the database's `now` beside its fields.
    age = (turn.now - turn.started_at).total_seconds()
    turn.attempt += 1
    Turn.objects.filter(pk=turn.pk).update(
        attempt=turn.attempt,
        lease_owner=lease.owner,
        lease_until=Now() + timedelta(seconds=lease.seconds),
    )
    return LostTurn(as_claimed(turn, age_seconds=age), owner_of(turn.conversation))


@transaction.atomic
def claim_interrupted_turn(*, turn_id: UUID, lease: Lease) -> ClaimedTurn:
    """Open an interrupted turn again as a new attempt from its last saved node.

    Raises `TurnInProgress` while a turn of the thread runs, `Conflict` when this one is complete.
    """
    try:
        with transaction.atomic():
            reopened = Turn.objects.filter(pk=turn_id, status=TurnStatus.INTERRUPTED).update(
                status=TurnStatus.RUNNING,
                attempt=F("attempt") + 1,
                terminal=None,
                ended_at=None,
                action="",
                reason="",
                stop_requested=False,
                lease_owner=lease.owner,
                lease_until=Now() + timedelta(seconds=lease.seconds),
            )
    except IntegrityError:
        raise TurnInProgress from None
    turn = Turn.objects.select_related("conversation").get(pk=turn_id)
    if not reopened:
        raise TurnInProgress if turn.status == TurnStatus.RUNNING else Conflict("This answer is complete.")
    return as_claimed(turn)


def request_stop(turn_id: UUID) -> bool:
    """Note the member's wish on the row; False when the turn does not run any more."""
    running = Turn.objects.filter(pk=turn_id, status=TurnStatus.RUNNING)
    return bool(running.update(stop_requested=True))
