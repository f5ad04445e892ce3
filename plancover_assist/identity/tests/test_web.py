"""Who asks is read from the session as it stands, page by page and frame by frame."""

from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.test import Client, override_settings

from plancover_assist.identity.tests.factories import UserFactory
from plancover_assist.identity.web import VISITOR_KEY, caller_of_session

pytestmark = pytest.mark.django_db


def session_key(browser: Client) -> str:
    key: str = browser.cookies["sessionid"].value
    return key


class TestCallerOfSession:
    def test_is_nobody_without_a_session(self) -> None:
        assert caller_of_session("") is None
        assert caller_of_session("never-was") is None

    def test_is_a_visitor_once_something_was_sent(self) -> None:
        browser = Client()
        browser.post(f"/c/web-1/turns/{uuid4()}/stop/")
        caller = caller_of_session(session_key(browser))
        assert caller is not None
        assert not caller.signed_in
        assert caller.visitor_key == browser.session[VISITOR_KEY]

    def test_is_the_person_who_signed_in(self) -> None:
        person, browser = UserFactory.create(), Client()
        browser.force_login(person)
        caller = caller_of_session(session_key(browser))
        assert caller is not None
        assert (caller.user_id, caller.tenant_id) == (person.pk, person.tenant_id)

    def test_is_nobody_after_signing_out(self) -> None:
        browser = Client()
        browser.force_login(UserFactory.create())
        key = session_key(browser)
        browser.post("/accounts/logout/")
        assert caller_of_session(key) is None

    def test_is_nobody_after_the_password_changed(self) -> None:
        person, browser = UserFactory.create(), Client()
        browser.force_login(person)
        person.set_password("another one")
        person.save()
        assert caller_of_session(session_key(browser)) is None


class TestAVisit:
    @pytest.mark.parametrize("path", ["/", "/c/never-was/", "/accounts/login/", "/api/docs"])
    def test_that_only_reads_leaves_no_session_behind(self, path: str) -> None:
        browser = Client()
        browser.get(path)
        assert "sessionid" not in browser.cookies
        assert Session.objects.count() == 0

    def test_that_introduces_itself_has_one(self) -> None:
        browser = Client()
        assert browser.post("/visit/").status_code == 204
        caller = caller_of_session(session_key(browser))
        assert caller is not None
        assert caller.visitor_key

    @pytest.mark.django_db(transaction=True)  # the page reads the session on a connection of its own
    def test_of_a_page_asks_to_be_introduced_until_it_was(self) -> None:
        browser = Client()
        assert 'data-visit="/visit/"' in browser.get("/").content.decode()
        browser.post("/visit/")
        assert 'data-visit=""' in browser.get("/").content.decode()

    def test_gives_up_a_cookie_whose_session_has_ended(self) -> None:
        browser = Client()
        browser.cookies["sessionid"] = "never-was"
        assert browser.get("/").cookies["sessionid"]["max-age"] == 0


class TestSignIn:
    def test_leads_back_to_where_it_was_asked(self) -> None:
        person = UserFactory.create(username="asha")
        person.set_password("a long passphrase")
        person.save()
        answer = Client().post(
            "/accounts/login/",
            {"username": "asha", "password": "a long passphrase", "next": "/c/web-1/"},
        )
        assert (answer.status_code, answer["Location"]) == (302, "/c/web-1/")

    def test_never_leads_to_another_site(self) -> None:
        browser = Client()
        browser.force_login(UserFactory.create())
        assert browser.get("/accounts/login/?next=https://evil.example/")["Location"] == "/"

    def test_says_what_was_wrong(self) -> None:
        answer = Client().post("/accounts/login/", {"username": "x", "password": "y"})
        assert 'role="alert"' in answer.content.decode()

    def test_offers_demo_people_in_the_demo_alone(self) -> None:
        assert "demo-member-a1" in Client().get("/accounts/login/").content.decode()
        with override_settings(DEMO=False):
            assert "demo-" not in Client().get("/accounts/login/").content.decode()

    def test_cannot_be_undone_by_following_a_link(self) -> None:
        browser = Client()
        browser.force_login(UserFactory.create())
        assert browser.get("/accounts/logout/").status_code == 405
