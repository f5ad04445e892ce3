"""What a conversation is made of. State machines are constraints here; transitions live in services."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class Conversation(models.Model):
    """One thread. Its public id is the client's string, unique only within its owner.

    The owner is a user or, signed out, a browser session (`visitor_key`); somebody else's id therefore
    reads exactly like an unknown one.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True)
    visitor_key = models.CharField(max_length=64, blank=True)
    client_key = models.CharField(max_length=64)
    tenant = models.ForeignKey("identity.Tenant", on_delete=models.PROTECT, null=True, blank=True)
    title = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-updated_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["owner", "client_key"],
                condition=Q(owner__isnull=False),
                name="one_thread_per_owner_key",
            ),
            models.UniqueConstraint(
                fields=["visitor_key", "client_key"],
                condition=Q(owner__isnull=True),
                name="one_thread_per_visitor_key",
            ),
            models.CheckConstraint(
                condition=Q(owner__isnull=False) | ~Q(visitor_key=""), name="thread_has_an_owner"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.client_key


class TurnStatus(models.TextChoices):
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    INTERRUPTED = "interrupted", "Interrupted"  # kept text, may be continued as a new attempt
    ENDED = "ended", "Ended"


class Action(models.TextChoices):
    """How a run ended for its watchers; names are the wire contract's."""

    ANSWERED = "answered"
    CACHE_HIT = "cache_hit"
    ESCALATED = "escalated"
    REFUSED = "refused"
    STOPPED = "stopped"
    AUTH_REQUIRED = "auth_required"
    CONFIRMATION_REQUIRED = "confirmation_required"
    REVIEW_PENDING = "review_pending"
    ERROR = "error"


class EscalationReason(models.TextChoices):
    NO_RESULTS = "no_results", "Nothing found"
    LOW_CONFIDENCE = "low_confidence", "Weak sources"
    NOT_COVERED_BY_SOURCES = "not_covered_by_sources", "Subject not in any source"
    GENERATION_FAILED = "generation_failed", "No model answered"
    MODEL_ABSTAINED = "model_abstained", "The model declined"
    ACUTE = "acute", "Emergency"
    MEMBER_ASKED = "member_asked", "Member asked for a person"
    COMPLAINT = "complaint", "Complaint"
    UNSAFE = "unsafe", "Unsafe"
    OUTCOME_UNKNOWN = "outcome_unknown", "Outcome of an action unknown"
    POLICY_CONFLICT = "policy_conflict", "Sources conflict"
    TURN_LOST = "turn_lost", "Turn lost"


class Turn(models.Model):
    """One question worked to its end. `state` is the only thing a resume needs."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    client_id = models.CharField(max_length=64)
    channel = models.CharField(max_length=16, default="web")
    status = models.CharField(max_length=12, choices=TurnStatus.choices, default=TurnStatus.RUNNING)
    node = models.CharField(max_length=32, default="prepare")  # the next node to run
    state = models.JSONField(default=dict)
    attempt = models.PositiveSmallIntegerField(default=1)
    last_seq = models.PositiveIntegerField(default=0)  # last event number known to be taken
    action = models.CharField(max_length=24, choices=Action.choices, blank=True)
    reason = models.CharField(max_length=32, choices=EscalationReason.choices, blank=True)
    terminal = models.JSONField(null=True)  # the terminal event, replayed when the log has expired
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True)
    stop_requested = models.BooleanField(default=False)  # read at each boundary, so a stop outlives Redis
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-started_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["conversation", "client_id"], name="one_send_one_turn"),
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(status="running"), name="one_running_turn_per_thread"
            ),
            models.CheckConstraint(
                condition=~Q(status="ended") | (Q(terminal__isnull=False) & ~Q(action="")),
                name="ended_turn_has_its_terminal_event",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["lease_until"], condition=Q(status="running"), name="running_turn_leases")
        ]

    def __str__(self) -> str:
        return str(self.id)


class Message(models.Model):
    """One utterance. What a member was shown and what is stored are the same bytes."""

    class Author(models.TextChoices):
        MEMBER = "member"
        ASSISTANT = "assistant"
        STAFF = "staff"

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="messages")
    author = models.CharField(max_length=12, choices=Author.choices)
    text = models.TextField()
    lang = models.CharField(max_length=8, blank=True)
    citations = models.JSONField(default=list)  # as in the `meta` event, numbered from 1
    incomplete = models.BooleanField(default=False)
    from_client = models.BooleanField(default=False)  # wire history that seeded the thread; never ours
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["turn", "author"],
                condition=Q(turn__isnull=False) & ~Q(author="staff"),
                name="one_question_one_answer_per_turn",
            )
        ]

    def __str__(self) -> str:
        return f"{self.author}: {self.text[:40]}"


class TurnStep(models.Model):
    """One executed node, written in the transaction that saves the state after it."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="steps")
    attempt = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    node = models.CharField(max_length=32)
    next_node = models.CharField(max_length=32)
    duration_ms = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["turn", "attempt", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["turn", "attempt", "number"], name="one_row_per_step")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.node}"


class Escalation(models.Model):
    """A hand-over to claims staff; at most one a turn."""

    class Status(models.TextChoices):
        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="escalation")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="escalations")
    tenant = models.ForeignKey("identity.Tenant", on_delete=models.PROTECT, null=True, blank=True)
    reference = models.CharField(max_length=16, unique=True)
    reason = models.CharField(max_length=32, choices=EscalationReason.choices)
    question = models.TextField()
    lang = models.CharField(max_length=8, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.reference} {self.reason}"
