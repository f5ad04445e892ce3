"""The demo's people: made once, able to sign in, never outside the demo."""

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from pytest_django import Settings

from plancover_assist.identity.demo import DEMO_USERS
from plancover_assist.identity.management.commands.seed_demo import seed_demo
from plancover_assist.identity.models import Role, Tenant, User


@pytest.mark.django_db
class TestSeeding:
    def test_makes_people_who_can_sign_in(self) -> None:
        seed_demo()
        assert all(
            authenticate(username=person.username, password=f"demo-{person.username}")
            for person in DEMO_USERS
        )

    def test_puts_members_and_hr_into_their_employer_and_staff_into_none(self) -> None:
        seed_demo()
        tenants = dict(User.objects.values_list("username", "tenant_id"))
        assert {name: tenants[name] for name in ("member-a1", "hr-a", "member-b1")} == {
            "member-a1": "ten_a",
            "hr-a": "ten_a",
            "member-b1": "ten_b",
        }
        assert tenants["lead-1"] is None

    def test_lets_staff_alone_into_the_admin_and_nobody_past_their_role(self) -> None:
        seed_demo()
        staff = set(User.objects.filter(is_staff=True).values_list("role", flat=True))
        assert staff == {Role.CLAIMS_STAFF, Role.LEAD, Role.AUDITOR, Role.OPERATOR}
        assert not User.objects.filter(is_superuser=True).exists()

    def test_twice_changes_nothing(self) -> None:
        seed_demo()
        User.objects.filter(username="member-a1").update(first_name="Changed")
        assert seed_demo() == []
        assert User.objects.get(username="member-a1").first_name == "Changed"

    def test_is_refused_outside_the_demo(self, settings: Settings) -> None:
        settings.DEMO = False
        with pytest.raises(CommandError, match="never made"):
            call_command("seed_demo")
        assert not Tenant.objects.exists()
