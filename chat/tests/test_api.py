"""The API answers as JSON or as a stream, refuses before the first byte, and shows nobody else's turn."""

import json
import uuid
from typing import Any

import pytest
from django.test import AsyncClient

from chat.tests.support import chat_body, count_turns, install, sign_in, stored_answer
from chat.turn.log.base import Entry
from chat.turn.log.in_process import InProcessLog
from chat.turn.tests.support import WORDS, ScriptedModel
from plancover_assist import db
from plancover_assist.identity.tests.factories import StaffFactory

pytestmark = pytest.mark.django_db(transaction=True)

STREAM = {"Accept": "text/event-stream"}


class BrokenLog(InProcessLog):
    """A log whose reader fails as nobody foresaw."""

    async def read(self, turn_id: str, *, after: int, wait: float) -> list[Entry]:
        raise RuntimeError("the disk is on fire")


async def post(browser: AsyncClient, path: str, body: Any, **options: Any) -> Any:
    return await browser.post(f"/api/{path}", body, content_type="application/json", **options)


async def read_stream(response: Any) -> list[dict[str, Any]]:
    whole = b"".join([piece async for piece in response.streaming_content]).decode()
    lines = [line for line in whole.split("\n") if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


class TestAsking:
    async def test_answers_with_the_terminal_event(self) -> None:
        install()
        browser, _ = await sign_in()
        response = await post(browser, "chat", chat_body())
        body = response.json()
        assert (response.status_code, body["type"], body["action"]) == (200, "final", "answered")
        assert body["answer"] == "".join(WORDS) == await stored_answer(body["turn_id"])

    async def test_streams_every_event_when_a_stream_is_accepted(self) -> None:
        install()
        browser, _ = await sign_in()
        response = await post(browser, "chat", chat_body(), headers=STREAM)
        assert response["Content-Type"].startswith("text/event-stream")
        events = await read_stream(response)
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert (events[0]["type"], events[-1]["type"]) == ("turn_started", "final")

    async def test_serves_signed_out_visitors(self) -> None:
        install()
        response = await post(AsyncClient(), "chat", chat_body())
        assert response.status_code == 200

    async def test_twice_with_one_client_id_is_one_turn(self) -> None:
        install()
        browser, _ = await sign_in()
        body = chat_body()
        first, second = await post(browser, "chat", body), await post(browser, "chat", body)
        assert first.json()["turn_id"] == second.json()["turn_id"]
        assert await count_turns() == 1

    async def test_shows_no_trace_events_to_members(self) -> None:
        install()
        browser, _ = await sign_in()
        events = await read_stream(await post(browser, "chat?view=trace", chat_body(), headers=STREAM))
        assert not {event["type"] for event in events} & {"node_started", "node_completed", "turn_completed"}


class TestRefusals:
    @pytest.mark.parametrize(
        ("changes", "status", "code", "field"),
        [
            ({"message": {"role": "user", "content": "   "}}, 422, "message_empty", "text"),
            ({"message": {"role": "user", "content": "x" * 8001}}, 422, "message_too_long", "text"),
            ({"message": {"role": "system", "content": "x"}}, 422, "bad_input", "message.role"),
            ({"conversation_id": "no spaces"}, 422, "bad_input", "conversation_id"),
            ({"history": [{"role": "user", "content": "x"}] * 101}, 422, "bad_input", "history"),
            ({"surprise": 1}, 422, "bad_input", "surprise"),
        ],
    )
    async def test_name_code_and_field_and_write_nothing(
        self, changes: dict[str, Any], status: int, code: str, field: str
    ) -> None:
        install()
        browser, _ = await sign_in()
        response = await post(browser, "chat", chat_body(**changes))
        assert response.status_code == status
        error = response.json()["error"]
        assert (error["code"], error["field"]) == (code, field)
        assert await count_turns() == 0

    async def test_come_before_a_stream_begins(self) -> None:
        install()
        browser, _ = await sign_in()
        response = await post(browser, "chat", chat_body(""), headers=STREAM)
        assert response.status_code == 422
        assert response.json()["error"]["code"] == "message_empty"

    async def test_of_a_body_that_is_no_json(self) -> None:
        browser, _ = await sign_in()
        response = await post(browser, "chat", "{")
        assert response.status_code == 422
        assert response.json()["error"]["code"] == "bad_input"

    async def test_of_a_body_that_is_too_large(self) -> None:
        browser, _ = await sign_in()
        response = await post(browser, "chat", "x" * (3 * 1024 * 1024))
        assert response.status_code == 413
        assert response.json()["error"]["code"] == "too_large"

    async def test_of_a_write_without_its_token(self) -> None:
        browser = AsyncClient(enforce_csrf_checks=True)
        response = await post(browser, "chat", chat_body())
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "csrf_failed"
        assert await count_turns() == 0

    async def test_of_a_write_by_somebody_signed_in_without_its_token(self) -> None:
        browser, _ = await sign_in()
        browser.handler.enforce_csrf_checks = True
        response = await post(browser, "chat", chat_body())
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "csrf_failed"


class TestForeignTurns:
    """Somebody else's turn answers byte for byte like one that never was."""

    @pytest.mark.parametrize("path", ["chat/stop", "chat/resume"])
    async def test_cannot_be_told_from_unknown_ones_by_writing(self, path: str) -> None:
        install()
        owner, _ = await sign_in()
        stranger, _ = await sign_in()
        turn_id = (await post(owner, "chat", chat_body())).json()["turn_id"]
        foreign = await post(stranger, path, {"turn_id": turn_id})
        unknown = await post(stranger, path, {"turn_id": str(uuid.uuid4())})
        assert foreign.status_code == unknown.status_code == 404
        assert foreign.content == unknown.content

    async def test_cannot_be_told_from_unknown_ones_by_reading(self) -> None:
        install()
        owner, _ = await sign_in()
        stranger, _ = await sign_in()
        turn_id = (await post(owner, "chat", chat_body())).json()["turn_id"]
        foreign = await stranger.get(f"/api/chat/turns/{turn_id}/events")
        unknown = await stranger.get(f"/api/chat/turns/{uuid.uuid4()}/events")
        assert foreign.status_code == unknown.status_code == 404
        assert foreign.content == unknown.content

    async def test_stay_closed_to_staff_outside_the_admin(self) -> None:
        install()
        owner, _ = await sign_in()
        staff, _ = await sign_in(await db.call(StaffFactory.create))
        turn_id = (await post(owner, "chat", chat_body())).json()["turn_id"]
        assert (await staff.get(f"/api/chat/turns/{turn_id}/events")).status_code == 404


class TestFollowing:
    async def test_goes_on_after_a_cursor(self) -> None:
        install()
        browser, _ = await sign_in()
        done = (await post(browser, "chat", chat_body())).json()
        response = await browser.get(f"/api/chat/turns/{done['turn_id']}/events?after=2")
        events = await read_stream(response)
        assert events[0]["seq"] == 3
        assert events[-1] == done


class TestStopping:
    async def test_ends_the_turn_and_keeps_its_text(self) -> None:
        engine = install(model=ScriptedModel("Half an ", 30.0, "answer"))
        browser, _ = await sign_in()
        stream = await post(browser, "chat", chat_body(), headers=STREAM)
        events: list[dict[str, Any]] = []
        async for record in stream.streaming_content:
            event = json.loads(record.decode().partition("data: ")[2])
            events.append(event)
            if event["type"] == "delta":
                stopped = await post(browser, "chat/stop", {"turn_id": event["turn_id"]})
                assert stopped.status_code == 202
        await engine.idle()
        assert events[-1]["action"] == "stopped"
        assert events[-1]["answer"] == "Half an "

    async def test_can_be_followed_by_carrying_on(self) -> None:
        engine = install(model=ScriptedModel("Half an ", 30.0, "answer"))
        browser, _ = await sign_in()
        stream = await post(browser, "chat", chat_body(), headers=STREAM)
        turn_id = ""
        async for record in stream.streaming_content:
            event = json.loads(record.decode().partition("data: ")[2])
            turn_id = event["turn_id"]
            if event["type"] == "delta":
                await post(browser, "chat/stop", {"turn_id": turn_id})
        await engine.idle()
        install()
        done = (await post(browser, "chat/resume", {"turn_id": turn_id})).json()
        assert (done["attempt"], done["action"], done["answer"]) == (2, "answered", "".join(WORDS))


class TestEveryError:
    """Whoever refuses, ninja, Django or a fault of ours, a client can read it as JSON."""

    @pytest.mark.parametrize(
        ("method", "path", "status", "code"),
        [
            ("get", "/api/nope", 404, "not_found"),
            ("get", "/api/", 404, "not_found"),
            ("get", "/api/chat/turns/no-uuid/events", 422, "bad_input"),
            ("get", "/api/chat", 405, "method_not_allowed"),
            ("delete", "/api/chat/stop", 405, "method_not_allowed"),
            ("post", "/api/docs", 405, "method_not_allowed"),
        ],
    )
    async def test_has_one_shape(self, method: str, path: str, status: int, code: str) -> None:
        response = await getattr(AsyncClient(), method)(path)
        assert response.status_code == status
        assert response["Content-Type"].startswith("application/json")
        assert response.json()["error"]["code"] == code
        assert int(response.get("Content-Length", len(response.content))) == len(response.content)

    async def test_nobody_foresaw_is_logged_and_tells_nothing(self, caplog: pytest.LogCaptureFixture) -> None:
        install(log=BrokenLog())
        browser, _ = await sign_in()
        response = await post(browser, "chat", chat_body())
        assert response.status_code == 500
        assert response.json()["error"]["code"] == "error"
        assert "the disk is on fire" not in response.content.decode()
        assert "the disk is on fire" in caplog.text

    async def test_of_a_foreign_host_is_json_too(self) -> None:
        response = await AsyncClient().get("/api/nope", headers={"Host": "evil.example"})
        assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_input")

    async def test_speaks_the_language_of_the_page(self) -> None:
        response = await AsyncClient().get("/api/nope", headers={"Accept-Language": "hi"})
        assert response.json()["error"]["message"] == "इस नाम से यहाँ कुछ नहीं है।"

    async def test_of_a_page_stays_a_page(self) -> None:
        assert (await AsyncClient().get("/nope"))["Content-Type"].startswith("text/html")
