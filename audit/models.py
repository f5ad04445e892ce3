"""Append-only rows: the database refuses to change or delete one (migration 0002). They name other rows by id
only, so nothing can cascade into them.

A trace says how a turn ran, never what was said: no message text, no personal data.
"""

from typing import ClassVar

from django.db import models


class TurnTrace(models.Model):
    """How one run of a turn ended: its exit, its tier, its provider and its stage timings."""

    turn_id = models.UUIDField(db_index=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    tenant_id = models.CharField(max_length=32, blank=True)
    channel = models.CharField(max_length=16)
    plan_kind = models.CharField(max_length=16, blank=True)
    lang = models.CharField(max_length=8, blank=True)
    action = models.CharField(max_length=24)
    reason = models.CharField(max_length=32, blank=True)
    tier = models.CharField(max_length=16, blank=True)
    degraded_legs = models.JSONField(default=list)
    gate_score = models.FloatField(null=True)
    gate_threshold = models.FloatField(null=True)
    provider = models.CharField(max_length=64, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    timings_ms = models.JSONField(default=dict)  # node or stage name to milliseconds
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.turn_id} {self.action}"
