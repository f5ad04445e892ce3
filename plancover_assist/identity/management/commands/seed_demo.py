"""`manage.py seed_demo`: the demo's employers and people, made once and left alone afterwards.

Never under production settings, whose accounts have passwords that are not printed in a README.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from plancover_assist.identity.demo import DEMO_TENANTS, DEMO_USERS, DemoUser
from plancover_assist.identity.models import STAFF_ROLES, Role, Tenant, User


class Command(BaseCommand):
    help = "Create the demo's employers and users where they are missing. Example: manage.py seed_demo"

    def handle(self, *_args: Any, **_options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "Demo accounts have known passwords: they are never made under these settings."
            )
        made = seed_demo()
        self.stdout.write(
            f"Demo users made: {', '.join(made)}." if made else "The demo users are there already."
        )


@transaction.atomic
def seed_demo() -> list[str]:
    """Create what is missing, leave what exists as it is, and return the user names that were created."""
    for tenant in DEMO_TENANTS:
        Tenant.objects.get_or_create(id=tenant.id, defaults={"name": tenant.name})
    known = set(User.objects.values_list("username", flat=True))
    return [_create(person) for person in DEMO_USERS if person.username not in known]


def _create(person: DemoUser) -> str:
    role = Role(person.role)
    User.objects.create_user(
        person.username,
        password=person.password,
        first_name=person.first_name,
        last_name=person.last_name,
        role=role,
        tenant_id=person.tenant,
        member_id=person.member_id,
        credential_ref=f"demo:{person.username}" if person.member_id else "",
        is_staff=role in STAFF_ROLES,
    )
    return person.username
