"""The pages work as plain forms, show only one's own, and let nothing foreign in."""

import re
import uuid
from typing import Any

import pytest
from django.test import AsyncClient

from chat import views
from chat.models import Message, Turn
from chat.tests.factories import ConversationFactory, EndedTurnFactory, MessageFactory
from chat.tests.support import count_turns, install, sign_in
from chat.turn import service
from chat.turn.tests.support import ScriptedModel, new_send
from plancover_assist import db
from plancover_assist.identity.context import auth_context
from plancover_assist.identity.models import User
from plancover_assist.settings.bounds import REQUEST_MAX_CHARS

pytestmark = pytest.mark.django_db(transaction=True)


def make_thread(owner: User, text: str = "It is **₹40,000**.") -> str:
    """Store one answered turn and return the thread's public name."""
    thread = ConversationFactory.create(owner=owner, title="About cataract")
    turn = EndedTurnFactory.create(conversation=thread)
    MessageFactory.create(conversation=thread, turn=turn, text="What is the limit?")
    MessageFactory.create(conversation=thread, turn=turn, author=Message.Author.ASSISTANT, text=text)
    return str(thread.client_key)


def text_of(response: Any) -> str:
    return str(response.content.decode())


class TestHome:
    async def test_opens_for_visitors(self) -> None:
        response = await AsyncClient().get("/")
        assert response.status_code == 200
        assert "automated assistant" in text_of(response)

    async def test_lists_ones_own_conversations_alone(self) -> None:
        browser, person = await sign_in()
        _, other = await sign_in()
        mine, theirs = await db.call(make_thread, person), await db.call(make_thread, other)
        page = text_of(await browser.get("/"))
        assert f"/c/{mine}/" in page
        assert f"/c/{theirs}/" not in page

    async def test_counts_characters_by_the_bound_that_the_server_keeps(self) -> None:
        assert f'data-limit="{REQUEST_MAX_CHARS}"' in text_of(await AsyncClient().get("/"))

    async def test_is_kept_by_no_cache(self) -> None:
        assert "no-store" in (await AsyncClient().get("/"))["Cache-Control"]

    async def test_allows_nothing_but_its_own_origin(self) -> None:
        policy = (await AsyncClient().get("/"))["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self';" in policy + ";"
        assert "unsafe" not in policy

    async def test_holds_no_inline_script_or_style(self) -> None:
        page = text_of(await AsyncClient().get("/"))
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)

    async def test_speaks_the_language_that_was_chosen(self) -> None:
        browser = AsyncClient()
        await browser.post("/i18n/setlang/", {"language": "hi", "next": "/"})
        page = text_of(await browser.get("/"))
        assert '<html lang="hi">' in page
        assert "नई बातचीत" in page


class TestConversation:
    async def test_is_rendered_whole_from_the_database(self) -> None:
        browser, person = await sign_in()
        page = text_of(await browser.get(f"/c/{await db.call(make_thread, person)}/"))
        assert "What is the limit?" in page
        assert "<strong>₹40,000</strong>" in page

    async def test_of_somebody_else_answers_like_an_unknown_one(self) -> None:
        browser, _ = await sign_in()
        _, other = await sign_in()
        foreign = await browser.get(f"/c/{await db.call(make_thread, other)}/")
        unknown = await browser.get("/c/never-was/")
        assert foreign.status_code == unknown.status_code == 404
        token = re.compile(r'value="[A-Za-z0-9]{64}"|/c/[^/]+/|%2Fc%2F[^"]+')
        assert token.sub("", text_of(foreign)) == token.sub("", text_of(unknown))

    async def test_escapes_what_members_type(self) -> None:
        browser, person = await sign_in()
        page = text_of(await browser.get(f"/c/{await db.call(make_thread, person, '<img src=x>')}/"))
        assert "<img src=x>" not in page


class TestForm:
    async def test_waits_for_the_answer_and_redirects_to_it(self) -> None:
        install()
        browser, _ = await sign_in()
        response = await browser.post("/c/web-1/", {"text": "What is the limit?", "client_id": "a"})
        assert (response.status_code, response["Location"]) == (303, "/c/web-1/#latest")
        assert "₹40,000" in text_of(await browser.get("/c/web-1/"))

    async def test_counts_a_line_end_as_one_character(self) -> None:
        install()
        browser, _ = await sign_in()
        longest = "\r\n".join(["What?"] * 1333)
        assert len(longest) > 8000 > len(longest.replace("\r\n", "\n"))
        response = await browser.post("/c/web-1/", {"text": longest, "client_id": "a"})
        assert response.status_code == 303

    async def test_of_a_slow_turn_leads_to_a_page_that_refreshes_itself(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(views, "FORM_WAIT_SECONDS", 0.1)
        engine = install(model=ScriptedModel("Half an ", 0.6, "answer"))
        browser, _ = await sign_in()
        assert (await browser.post("/c/web-1/", {"text": "What?", "client_id": "a"})).status_code == 303
        page = text_of(await browser.get("/c/web-1/"))
        assert 'http-equiv="refresh" content="1;url=/c/web-1/?wait=1#latest"' in page
        await engine.idle()
        page = text_of(await browser.get("/c/web-1/?wait=1"))
        assert "Half an answer" in page
        assert "http-equiv" not in page

    async def test_sent_twice_is_one_turn(self) -> None:
        install()
        browser, _ = await sign_in()
        for _ in range(2):
            await browser.post("/c/web-1/", {"text": "What?", "client_id": "a"})
        assert await count_turns() == 1

    async def test_from_the_history_with_another_question_is_another_turn(self) -> None:
        install()
        browser, _ = await sign_in()
        for text in ("What?", "And then?"):
            await browser.post("/c/web-1/", {"text": text, "client_id": "a"})
        assert await count_turns() == 2

    @pytest.mark.parametrize(("text", "said"), [(" ", "type a question"), ("x" * 8001, "8,000 characters")])
    async def test_that_is_refused_says_why_and_keeps_the_words(self, text: str, said: str) -> None:
        install()
        browser, _ = await sign_in()
        response = await browser.post("/c/web-1/", {"text": text, "client_id": "a"})
        assert response.status_code == 422
        assert said in text_of(response)
        assert f">{text}</textarea>" in text_of(response)
        assert await count_turns() == 0

    async def test_without_its_token_is_refused(self) -> None:
        browser = AsyncClient(enforce_csrf_checks=True)
        assert (await browser.post("/c/web-1/", {"text": "What?"})).status_code == 403


class TestTurnButtons:
    async def test_stop_and_carry_on_without_script(self) -> None:
        engine = install(model=ScriptedModel("Half an ", 30.0, "answer"))
        browser, person = await sign_in()
        started = await service.start_turn(auth_context(person), new_send(conversation_id="web-1"))
        page = f"/c/web-1/turns/{started.turn_id}"
        assert (await browser.post(f"{page}/stop/")).status_code == 303
        await engine.idle()
        assert "You stopped this answer" in text_of(await browser.get("/c/web-1/"))
        install()
        assert (await browser.post(f"{page}/continue/")).status_code == 303
        assert "₹40,000" in text_of(await browser.get("/c/web-1/"))

    @pytest.mark.parametrize("verb", ["stop", "continue"])
    async def test_do_nothing_to_somebody_elses_turn(self, verb: str) -> None:
        engine = install()
        browser, _ = await sign_in()
        _, other = await sign_in()
        started = await service.start_turn(auth_context(other), new_send(conversation_id="web-1"))
        await engine.idle()
        response = await browser.post(f"/c/web-1/turns/{started.turn_id}/{verb}/")
        assert response.status_code == 404
        row = await db.call(Turn.objects.get, pk=started.turn_id)
        assert (row.attempt, row.stop_requested) == (1, False)


class TestFragments:
    async def test_show_one_turn_as_the_page_does(self) -> None:
        browser, person = await sign_in()
        name = await db.call(make_thread, person)
        turn = await db.call(Turn.objects.get)
        fragment = text_of(await browser.get(f"/c/{name}/turns/{turn.pk}/"))
        assert fragment.lstrip().startswith("<section")
        assert "<strong>₹40,000</strong>" in fragment

    async def test_of_a_turn_in_another_conversation_are_not_found(self) -> None:
        browser, person = await sign_in()
        name = await db.call(make_thread, person)
        assert (await browser.get(f"/c/{name}/turns/{uuid.uuid4()}/")).status_code == 404

    async def test_of_somebody_elses_conversation_are_not_found(self) -> None:
        browser, _ = await sign_in()
        _, other = await sign_in()
        name = await db.call(make_thread, other)
        turn = await db.call(Turn.objects.get)
        assert (await browser.get(f"/c/{name}/transcript/")).status_code == 404
        assert (await browser.get(f"/c/{name}/turns/{turn.pk}/")).status_code == 404

    async def test_bring_the_whole_transcript_again(self) -> None:
        browser, person = await sign_in()
        name = await db.call(make_thread, person)
        fragment = text_of(await browser.get(f"/c/{name}/transcript/"))
        assert "What is the limit?" in fragment
        assert "<html" not in fragment
