"""What cannot be taken is refused under a stable code at every door alike; nothing is lost or half kept."""

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from chat.models import Conversation, Message, Turn
from chat.turn import engine as engines
from chat.turn.engine import Engine
from chat.turn.tests.support import ScriptedModel
from plancover_assist import db
from plancover_assist.llm.types import Models
from tests.journeys.prober import Prober, Reply

BAD_MESSAGES = {
    "empty": ("", "message_empty"),
    "blank": (" \n\t ", "message_empty"),
    "invisible": ("\u200b\u2060\ufeff", "message_empty"),
    "too long": ("क" * 8001, "message_too_long"),
}
DOORS: dict[str, Callable[[Prober, str, str], Awaitable[Reply]]] = {
    "api": lambda prober, thread, text: prober.ask_api(thread, text),
    "stream": lambda prober, thread, text: prober.ask_stream(thread, text),
    "socket": lambda prober, thread, text: prober.ask_socket(thread, text),
}


@pytest.fixture
def thread() -> str:
    return uuid.uuid4().hex


def rows_of(thread: str) -> tuple[int, int, int]:
    return (
        Conversation.objects.filter(client_key=thread).count(),
        Turn.objects.filter(conversation__client_key=thread).count(),
        Message.objects.filter(conversation__client_key=thread, from_client=False).count(),
    )


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(("text", "code"), BAD_MESSAGES.values(), ids=BAD_MESSAGES)
class TestABadMessage:
    async def test_is_refused_under_the_same_code_at_every_door(
        self, text: str, code: str, thread: str
    ) -> None:
        prober = await Prober.enter("member-a1")
        for door, send in DOORS.items():
            reply = await send(prober, thread, text)
            assert f'"{code}"'.encode() in reply.body, door
            assert reply.status in {0, 422}, door
        assert await db.call(rows_of, thread) == (0, 0, 0)
        await prober.leave()

    async def test_of_a_form_comes_back_with_the_page_and_is_not_kept(
        self, text: str, code: str, thread: str
    ) -> None:
        prober = await Prober.enter("member-a1")
        reply = await prober.submit(f"/c/{thread}/", text=text, client_id="form")
        assert reply.status == 422
        assert text.strip().encode() in reply.body
        assert await db.call(rows_of, thread) == (0, 0, 0)
        await prober.leave()

    def test_of_the_command_line_is_told_by_code(self, text: str, code: str, thread: str) -> None:
        with pytest.raises(CommandError, match=code):
            call_command("ask", "--as", "member-a1", "--conversation", thread, text)
        assert rows_of(thread) == (0, 0, 0)


async def open_answer(engine: Engine, thread: str) -> tuple[Prober, asyncio.Event]:
    """Begin an answer that stands half told until the event is set."""
    go_on = asyncio.Event()
    model = ScriptedModel("The limit ", go_on, "is in your schedule. [1]")
    engines.install(replace(engine, models=Models(gather=engine.models.gather, answer=model)))
    prober = await Prober.enter("member-a1")
    question = "What is the cataract limit per eye?"
    await prober.send(
        json.dumps({"type": "send", "client_id": "a", "conversation_id": thread, "text": question})
    )
    await prober.receive_until("delta")
    return prober, go_on


def answers_in(thread: str) -> list[str]:
    messages = Message.objects.filter(conversation__client_key=thread, author=Message.Author.ASSISTANT)
    return list(messages.values_list("text", flat=True))


@pytest.mark.usefixtures("demo_index")
class TestABadFrame:
    """Refused while an answer streams, it takes nothing away from that answer."""

    @pytest.mark.parametrize("frame", ["", "{", "[]", '{"type": "send", "text": "x"}', '{"type": "watch"}'])
    async def test_that_is_malformed_leaves_the_answer_whole(
        self, frame: str, engine: Engine, thread: str
    ) -> None:
        prober, go_on = await open_answer(engine, thread)
        await prober.send(frame)
        assert (await prober.receive_until("error"))[-1]["code"] == "malformed_frame"
        go_on.set()
        final = (await prober.receive_until("final"))[-1]
        assert final["answer"] == "The limit is in your schedule. [1]"
        assert await db.call(answers_in, thread) == [final["answer"]]
        await prober.leave()

    async def test_that_is_too_large_closes_the_socket_and_not_the_turn(
        self, engine: Engine, thread: str
    ) -> None:
        prober, go_on = await open_answer(engine, thread)
        await prober.send(json.dumps({"type": "ping", "more": "x" * 128 * 1024}))
        assert await prober.closing_code() == 4413
        await prober.leave()
        go_on.set()
        await engines.get_engine().idle()
        assert await db.call(answers_in, thread) == ["The limit is in your schedule. [1]"]


@pytest.mark.usefixtures("demo_index", "engine")
class TestSomebodyElsesConversation:
    @pytest.mark.parametrize("door", DOORS)
    async def test_is_a_new_one_to_whoever_names_it(self, door: str, thread: str) -> None:
        owner, stranger = await Prober.enter("member-a1"), await Prober.enter("member-b1")
        await DOORS[door](owner, thread, "What is the cataract limit per eye?")
        reply = await DOORS[door](stranger, thread, "What is the ambulance limit per admission?")
        assert "₹2,000".encode() in reply.body
        assert "₹40,000".encode() not in reply.body
        assert await db.call(rows_of, thread) == (2, 2, 4)
        await owner.leave()
        await stranger.leave()
