"""What staff see of conversations: lists and records to read. Only an escalation's status can be changed.

Nobody writes as a member or as the assistant from here, so nothing can be added or deleted.
"""

from typing import ClassVar

from django.contrib import admin

from chat.models import Conversation, Escalation, Message, Turn, TurnStep
from plancover_assist.read_only import ReadOnly, Unwritable


class MessageInline(ReadOnly, admin.TabularInline[Message, Conversation]):
    model = Message
    fields = ("created_at", "author", "text", "lang", "incomplete")
    readonly_fields = fields


class StepInline(ReadOnly, admin.TabularInline[TurnStep, Turn]):
    model = TurnStep
    fields = ("attempt", "number", "node", "next_node", "duration_ms")
    readonly_fields = fields


@admin.register(Conversation)
class ConversationAdmin(ReadOnly, admin.ModelAdmin[Conversation]):
    list_display = ("__str__", "owner", "tenant", "created_at", "updated_at")
    list_select_related = ("owner", "tenant")
    list_filter = ("tenant",)
    search_fields = ("client_key", "owner__username")
    date_hierarchy = "created_at"
    exclude = ("visitor_key",)
    show_full_result_count = False
    inlines = (MessageInline,)


@admin.register(Turn)
class TurnAdmin(ReadOnly, admin.ModelAdmin[Turn]):
    list_display = ("id", "conversation", "status", "action", "reason", "attempt", "started_at", "ended_at")
    list_select_related = ("conversation",)
    list_filter = ("status", "action", "reason", "channel")
    search_fields = ("id", "conversation__client_key")
    date_hierarchy = "started_at"
    exclude = ("lease_owner", "lease_until")
    show_full_result_count = False
    inlines = (StepInline,)


@admin.register(Escalation)
class EscalationAdmin(Unwritable, admin.ModelAdmin[Escalation]):
    list_display = ("reference", "reason", "status", "tenant", "lang", "question", "created_at")
    list_select_related = ("tenant",)
    list_filter = ("status", "reason", "tenant", "lang")
    search_fields = ("reference",)
    date_hierarchy = "created_at"
    ordering = ("created_at",)  # whoever has waited longest comes first
    readonly_fields: ClassVar[tuple[str, ...]] = (
        "reference",
        "reason",
        "question",
        "lang",
        "tenant",
        "conversation",
        "turn",
        "created_at",
    )
    show_full_result_count = False
