"""A trace can be added and looked at, and that is all."""

import uuid

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from audit.models import TurnTrace
from audit.services import Trace, record_trace
from audit.tests.factories import TurnTraceFactory
from plancover_assist.identity.models import Role
from plancover_assist.identity.tests.factories import StaffFactory

LIST = "/admin/audit/turntrace/"


def browser_of(role: Role, **person: object) -> Client:
    browser = Client()
    browser.force_login(StaffFactory.create(role=role, **person))
    return browser


@pytest.mark.django_db
class TestATrace:
    def test_is_added(self) -> None:
        trace = Trace(
            turn_id=uuid.uuid4(), attempt=2, channel="ask", action="stopped", timings_ms={"answer": 1}
        )
        record_trace(trace)

        row = TurnTrace.objects.get()
        assert (row.turn_id, row.attempt, row.action) == (trace.turn_id, 2, "stopped")

    @pytest.mark.parametrize(
        "statement",
        ["UPDATE audit_turntrace SET action = 'x'", "DELETE FROM audit_turntrace"],
    )
    def test_is_neither_changed_nor_deleted_by_any_statement(self, statement: str) -> None:
        TurnTraceFactory.create(action="answered")
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            connection.cursor().execute(statement)

        assert TurnTrace.objects.get().action == "answered"

    def test_is_neither_changed_nor_deleted_through_its_model(self) -> None:
        row = TurnTraceFactory.create(action="answered")
        row.action = "refused"
        for act in (row.save, row.delete):
            with pytest.raises(IntegrityError), transaction.atomic():
                act()

        assert TurnTrace.objects.get().action == "answered"


@pytest.mark.django_db
class TestTheListOfTraces:
    @pytest.mark.parametrize("role", [Role.LEAD, Role.AUDITOR, Role.OPERATOR])
    def test_is_shown_to_those_who_look_into_how_turns_ran(self, role: Role) -> None:
        row = TurnTraceFactory.create()
        browser = browser_of(role)

        assert str(row.turn_id) in browser.get(LIST).content.decode()
        assert str(row.turn_id) in browser.get(f"{LIST}?q={row.turn_id}").content.decode()
        assert browser.get(f"{LIST}{row.pk}/change/").status_code == 200

    def test_is_refused_to_claims_staff(self) -> None:
        assert browser_of(Role.CLAIMS_STAFF).get(LIST).status_code == 403

    @pytest.mark.parametrize("address", ["{list}{pk}/change/", "{list}{pk}/delete/", "{list}add/"])
    def test_lets_nobody_write(self, address: str) -> None:
        row = TurnTraceFactory.create()
        browser = browser_of(Role.LEAD, is_superuser=True)

        written = browser.post(address.format(list=LIST, pk=row.pk), {"action": "x", "post": "yes"})
        assert written.status_code == 403
        assert TurnTrace.objects.get().action == "answered"
