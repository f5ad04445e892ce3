"""Admin of tenants and users; credential handles are shown to nobody."""

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin

from plancover_assist.identity.models import Tenant, User


@admin.register(Tenant)
class TenantAdmin(admin.ModelAdmin[Tenant]):
    list_display = ("id", "name")
    search_fields = ("id", "name")


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User]):
    list_display = ("username", "tenant", "role", "is_active")
    list_filter = ("role", "tenant", "is_active")
    filter_horizontal = ()
    autocomplete_fields: ClassVar[tuple[str, ...]] = ("groups",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Identity", {"fields": ("tenant", "role", "member_id", "first_name", "last_name", "email")}),
        ("Access", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
    )
