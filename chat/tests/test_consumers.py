"""The socket starts, streams and stops turns while it keeps listening, and closes with a reason."""

import asyncio
import uuid

import pytest
from django.test import AsyncClient, override_settings

from chat.tests.sockets import closing_code, events_until, open_socket, send_frame
from chat.tests.support import count_turns, install, sign_in, stored_answer, visit
from chat.turn.tests.support import WORDS, ScriptedModel

pytestmark = pytest.mark.django_db(transaction=True)


class TestSending:
    async def test_streams_a_whole_turn(self) -> None:
        install()
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame())
        events = await events_until(socket, "final", "error")
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        text = "".join(event["text"] for event in events if event["type"] == "delta")
        assert text == events[-1]["answer"] == "".join(WORDS) == await stored_answer(events[0]["turn_id"])
        await socket.disconnect()

    async def test_serves_a_visitor_whose_pages_then_know_them(self) -> None:
        install()
        browser, frame = await visit(), send_frame()
        socket = await open_socket(browser)
        await socket.send_json_to(frame)
        assert (await events_until(socket, "final", "error"))[-1]["action"] == "answered"
        assert (await browser.get(f"/c/{frame['conversation_id']}/")).status_code == 200
        await socket.disconnect()

    async def test_the_same_client_id_twice_is_one_turn(self) -> None:
        install()
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        frame = send_frame()
        await socket.send_json_to(frame)
        await events_until(socket, "final")
        await socket.send_json_to(frame)
        again = await events_until(socket, "final")
        assert again[0]["seq"] == 1
        assert await count_turns() == 1
        await socket.disconnect()

    @pytest.mark.parametrize(("text", "code"), [("  ", "message_empty"), ("x" * 8001, "message_too_long")])
    async def test_of_a_bad_message_is_refused_and_the_socket_stays(self, text: str, code: str) -> None:
        install()
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        frame = send_frame(text)
        await socket.send_json_to(frame)
        refusal = await socket.receive_json_from(timeout=5)
        assert (refusal["type"], refusal["code"]) == ("error", code)
        assert (refusal["retryable"], refusal["client_id"]) == (False, frame["client_id"])
        await socket.send_json_to({"type": "ping"})
        assert (await socket.receive_json_from(timeout=5))["type"] == "heartbeat"
        assert await count_turns() == 0
        await socket.disconnect()

    async def test_refuses_in_the_language_of_the_page(self) -> None:
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame(" ", locale="hi"))
        assert "सवाल" in (await socket.receive_json_from(timeout=5))["message"]
        await socket.disconnect()


class TestFrames:
    @pytest.mark.parametrize(
        "text", ["{}", "nonsense", '{"type": "dance"}', '{"type": "stop", "turn_id": "1"}']
    )
    async def test_that_are_malformed_are_refused_and_the_socket_stays(self, text: str) -> None:
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_to(text_data=text)
        assert (await socket.receive_json_from(timeout=5))["code"] == "malformed_frame"
        await socket.send_json_to({"type": "ping"})
        assert (await socket.receive_json_from(timeout=5))["type"] == "heartbeat"
        await socket.disconnect()

    async def test_of_bytes_are_refused(self) -> None:
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_to(bytes_data=b"\x00")
        assert (await socket.receive_json_from(timeout=5))["code"] == "malformed_frame"
        await socket.disconnect()

    async def test_above_the_cap_close_the_socket(self) -> None:
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_to(text_data="क" * (128 * 1024 // 3 + 1))
        assert await closing_code(socket) == 4413

    async def test_without_end_close_the_socket(self) -> None:
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        for _ in range(241):
            await socket.send_json_to({"type": "ping"})
        codes = [await socket.receive_output(timeout=5) for _ in range(241)]
        assert codes[-1] == {"type": "websocket.close", "code": 4429}
        await socket.disconnect()


class TestStopping:
    async def test_is_heard_while_an_answer_streams(self) -> None:
        never = asyncio.Event()
        install(model=ScriptedModel("Half an ", never, "answer"))
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame())
        turn_id = (await events_until(socket, "delta"))[0]["turn_id"]
        await socket.send_json_to({"type": "stop", "turn_id": turn_id})
        final = (await events_until(socket, "final"))[-1]
        assert (final["action"], final["incomplete"], final["answer"]) == ("stopped", True, "Half an ")
        await socket.disconnect()

    async def test_of_somebody_elses_turn_answers_like_an_unknown_one(self) -> None:
        install()
        owner, _ = await sign_in()
        theirs = await open_socket(owner)
        await theirs.send_json_to(send_frame())
        foreign = (await events_until(theirs, "final"))[0]["turn_id"]
        stranger, _ = await sign_in()
        socket = await open_socket(stranger)
        answers = []
        for turn_id in (foreign, str(uuid.uuid4())):
            await socket.send_json_to({"type": "stop", "turn_id": turn_id})
            answers.append(await socket.receive_json_from(timeout=5) | {"turn_id": ""})
        assert answers[0] == answers[1]
        assert answers[0]["code"] == "not_found"
        await theirs.disconnect()
        await socket.disconnect()


class TestWatching:
    async def test_replays_from_a_cursor(self) -> None:
        install()
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame())
        seen = await events_until(socket, "final")
        await socket.send_json_to({"type": "watch", "turn_id": seen[0]["turn_id"], "after": 2})
        assert await events_until(socket, "final") == seen[2:]
        await socket.disconnect()

    async def test_of_somebody_elses_turn_shows_nothing_of_it(self) -> None:
        install()
        owner, _ = await sign_in()
        theirs = await open_socket(owner)
        await theirs.send_json_to(send_frame())
        turn_id = (await events_until(theirs, "final"))[0]["turn_id"]
        stranger, _ = await sign_in()
        socket = await open_socket(stranger)
        await socket.send_json_to({"type": "watch", "turn_id": turn_id, "after": 0})
        answer = await socket.receive_json_from(timeout=5)
        assert (answer["type"], answer["code"]) == ("error", "not_found")
        assert await socket.receive_nothing()
        await theirs.disconnect()
        await socket.disconnect()

    async def test_survives_the_socket_that_sent(self) -> None:
        """A turn is a job: a second socket reads the whole of it after the first has gone."""
        install(model=ScriptedModel("Half an ", 0.3, "answer"))
        browser, _ = await sign_in()
        first = await open_socket(browser)
        await first.send_json_to(send_frame())
        turn_id = (await events_until(first, "delta"))[0]["turn_id"]
        await first.disconnect()
        second = await open_socket(browser)
        await second.send_json_to({"type": "watch", "turn_id": turn_id, "after": 0})
        events = await events_until(second, "final")
        assert "".join(event["text"] for event in events if event["type"] == "delta") == "Half an answer"
        assert await count_turns() == 1
        await second.disconnect()


class TestOtherTabs:
    async def test_of_the_same_person_hear_that_a_turn_began(self) -> None:
        install()
        browser, _ = await sign_in()
        sender, other = await open_socket(browser), await open_socket(browser)
        frame = send_frame()
        await sender.send_json_to(frame)
        heard = await other.receive_json_from(timeout=5)
        assert (heard["type"], heard["conversation_id"]) == ("turn_started", frame["conversation_id"])
        await events_until(sender, "final")
        assert await other.receive_nothing()
        await sender.disconnect()
        await other.disconnect()

    async def test_of_other_people_hear_nothing(self) -> None:
        install()
        mine, _ = await sign_in()
        theirs, _ = await sign_in()
        sender, other = await open_socket(mine), await open_socket(theirs)
        await sender.send_json_to(send_frame())
        await events_until(sender, "final")
        assert await other.receive_nothing()
        await sender.disconnect()
        await other.disconnect()


class TestBrokenChannelLayer:
    @override_settings(
        CHANNEL_LAYERS={
            "default": {
                "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
                "CONFIG": {"hosts": ["redis://127.0.0.1:1"]},
            }
        }
    )
    async def test_takes_no_socket_and_no_turn_with_it(self) -> None:
        install()
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame())
        assert (await events_until(socket, "final", "error"))[-1]["action"] == "answered"
        await socket.disconnect()


class TestSession:
    async def test_that_never_was_closes_the_socket(self) -> None:
        assert await closing_code(await open_socket(AsyncClient())) == 4401

    async def test_that_has_ended_closes_the_socket_at_the_next_frame_that_acts(self) -> None:
        install()
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await browser.post("/accounts/logout/")
        await socket.send_json_to(send_frame())
        assert await closing_code(socket) == 4401
        assert await count_turns() == 0

    async def test_of_a_locked_account_closes_the_socket(self) -> None:
        browser, person = await sign_in()
        socket = await open_socket(browser)
        person.is_active = False
        await person.asave()
        await socket.send_json_to(send_frame())
        assert await closing_code(socket) == 4401

    @override_settings(SOCKET_IDLE_SECONDS=0.05)
    async def test_left_alone_closes_the_socket(self) -> None:
        browser, _ = await sign_in()
        assert await closing_code(await open_socket(browser)) == 4408
