"""Staff see what their role needs and change almost nothing; everybody else stays outside."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from chat.models import Escalation
from chat.tests.factories import EscalationFactory, MessageFactory
from plancover_assist.identity.models import Role
from plancover_assist.identity.tests.factories import StaffFactory, UserFactory
from plancover_assist.staff.permissions import ROLE_PERMISSIONS

pytestmark = pytest.mark.django_db

LISTS = ["/admin/chat/conversation/", "/admin/chat/turn/", "/admin/chat/escalation/"]


def browser_of(**person: object) -> Client:
    browser = Client()
    browser.force_login(StaffFactory.create(**person))
    return browser


class TestEntry:
    @pytest.mark.parametrize("address", ["/admin/", *LISTS])
    def test_is_refused_to_visitors_and_members(self, address: str) -> None:
        member = Client()
        member.force_login(UserFactory.create())
        for browser in (Client(), member):
            assert browser.get(address)["Location"].startswith("/admin/login/")

    @pytest.mark.parametrize("role", [Role.MEMBER, Role.HR_ADMIN])
    def test_is_refused_to_people_whose_row_carries_a_forgotten_flag(self, role: Role) -> None:
        browser = Client()
        browser.force_login(UserFactory.create(role=role, is_staff=True))
        assert browser.get("/admin/")["Location"].startswith("/admin/login/")

    @pytest.mark.parametrize("role", [Role.CLAIMS_STAFF, Role.LEAD, Role.AUDITOR, Role.OPERATOR])
    def test_is_open_to_staff(self, role: Role) -> None:
        assert browser_of(role=role).get("/admin/").status_code == 200


class TestRoles:
    @pytest.mark.parametrize("address", LISTS)
    @pytest.mark.parametrize("role", [Role.CLAIMS_STAFF, Role.LEAD, Role.AUDITOR])
    def test_that_handle_cases_see_the_lists(self, role: Role, address: str) -> None:
        EscalationFactory.create()
        assert browser_of(role=role).get(address).status_code == 200

    @pytest.mark.parametrize("address", LISTS)
    def test_that_keep_the_product_running_do_not_see_cases(self, address: str) -> None:
        assert browser_of(role=Role.OPERATOR).get(address).status_code == 403

    def test_name_permissions_that_exist(self) -> None:
        rows = Permission.objects.values_list("content_type__app_label", "codename")
        known = {f"{app}.{codename}" for app, codename in rows}
        assert set().union(*ROLE_PERMISSIONS.values()) <= known


class TestRecords:
    def test_of_a_conversation_cannot_be_changed_even_by_a_superuser(self) -> None:
        message = MessageFactory.create()
        browser = browser_of(role=Role.OPERATOR, is_superuser=True)
        address = f"/admin/chat/conversation/{message.conversation.pk}/change/"
        assert message.text in browser.get(address).content.decode()
        assert browser.post(address, {"title": "x"}).status_code == 403
        assert browser.get("/admin/chat/conversation/add/").status_code == 403

    def test_of_an_escalation_let_its_status_be_changed_by_claims_staff(self) -> None:
        row = EscalationFactory.create()
        browser = browser_of(role=Role.CLAIMS_STAFF)
        browser.post(f"/admin/chat/escalation/{row.pk}/change/", {"status": "closed", "question": "x"})
        row.refresh_from_db()
        assert row.status == Escalation.Status.CLOSED
        assert row.question != "x"

    def test_of_an_escalation_are_read_only_for_auditors(self) -> None:
        row = EscalationFactory.create()
        browser = browser_of(role=Role.AUDITOR)
        address = f"/admin/chat/escalation/{row.pk}/change/"
        assert browser.get(address).status_code == 200
        assert browser.post(address, {"status": "closed"}).status_code == 403

    def test_of_a_conversation_hide_the_key_of_a_visitor(self) -> None:
        message = MessageFactory.create(conversation__owner=None, conversation__visitor_key="secret-key")
        browser = browser_of(role=Role.CLAIMS_STAFF)
        address = f"/admin/chat/conversation/{message.conversation.pk}/change/"
        assert "secret-key" not in browser.get(address).content.decode()


class TestListSpeed:
    @pytest.mark.parametrize("address", LISTS)
    def test_does_not_grow_with_its_rows(
        self, address: str, django_assert_max_num_queries: pytest.FixtureRequest
    ) -> None:
        EscalationFactory.create_batch(20)
        browser = browser_of(role=Role.CLAIMS_STAFF)
        with django_assert_max_num_queries(12):  # type: ignore[operator]  # pytest-django types no fixtures
            assert browser.get(address).status_code == 200
