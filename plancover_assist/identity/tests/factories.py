"""Tenants and people for tests. A member's tenant comes with the member."""

import factory
from factory.django import DjangoModelFactory

from plancover_assist.identity.models import Role, Tenant, User


class TenantFactory(DjangoModelFactory[Tenant]):
    """An employer; asking for one id twice gives the same row."""

    class Meta:
        model = Tenant
        django_get_or_create = ("id",)

    id = factory.Sequence(lambda n: f"tenant_{n}")
    name = factory.LazyAttribute(lambda tenant: f"Employer {tenant.id}")


class UserFactory(DjangoModelFactory[User]):
    """A signed-up member of a tenant of their own."""

    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"person-{n}")
    role = Role.MEMBER
    tenant = factory.SubFactory(TenantFactory)
    member_id = factory.Sequence(lambda n: f"M-{n:04d}")


class StaffFactory(DjangoModelFactory[User]):
    """Claims staff; they belong to no tenant and may enter the admin."""

    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"staff-{n}")
    role = Role.CLAIMS_STAFF
    is_staff = True
