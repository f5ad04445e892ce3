"""Tenants and users: the kernel's only models. No rules live here beyond the database's own."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models


class Tenant(models.Model):
    """One employer whose members we serve. Its id (`ten_a`) is also the scope of its documents."""

    id = models.CharField(primary_key=True, max_length=32)
    name = models.CharField(max_length=120)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    MEMBER = "member", "Member"
    HR_ADMIN = "hr_admin", "HR administrator"
    CLAIMS_STAFF = "claims_staff", "Claims staff"
    LEAD = "lead", "Claims lead"
    AUDITOR = "auditor", "Auditor"
    OPERATOR = "operator", "Operator"


STAFF_ROLES = frozenset({Role.CLAIMS_STAFF, Role.LEAD, Role.AUDITOR, Role.OPERATOR})


class User(AbstractUser):
    """A person who signs in. `credential_ref` is an opaque handle, exchanged for a token at call time."""

    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, null=True, blank=True, related_name="users")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.MEMBER)
    member_id = models.CharField("upstream member id", max_length=64, blank=True)
    credential_ref = models.CharField("credential handle", max_length=128, blank=True)

    class Meta(AbstractUser.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~models.Q(role__in=[Role.MEMBER, Role.HR_ADMIN])
                | models.Q(tenant__isnull=False)
                | models.Q(is_superuser=True),
                name="member_and_hr_belong_to_a_tenant",
            ),
        ]
