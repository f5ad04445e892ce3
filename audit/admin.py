"""What leads, auditors and operators see of how turns ran. Nothing can be added, changed or deleted."""

from django.contrib import admin

from audit.models import TurnTrace
from plancover_assist.read_only import ReadOnly


@admin.register(TurnTrace)
class TurnTraceAdmin(ReadOnly, admin.ModelAdmin[TurnTrace]):
    list_display = (
        "turn_id",
        "attempt",
        "action",
        "reason",
        "plan_kind",
        "lang",
        "channel",
        "tier",
        "provider",
        "created_at",
    )
    list_filter = ("action", "reason", "channel", "lang", "tier", "provider")
    search_fields = ("=turn_id",)
    date_hierarchy = "created_at"
    show_full_result_count = False
