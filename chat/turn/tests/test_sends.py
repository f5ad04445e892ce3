"""One send is one message and one turn; what is wrong with a message is said before anything is written."""

import asyncio
import threading
from typing import Any

import pytest

from chat.models import Conversation, Message, Turn
from chat.turn import engine as engines
from chat.turn import service
from chat.turn.sends import Send
from chat.turn.state import Utterance
from chat.turn.tests.support import QUESTION, WORDS, make_engine, new_send, visitor
from plancover_assist import db
from plancover_assist.errors import AssistError, TurnInProgress
from plancover_assist.identity.context import AuthContext

pytestmark = pytest.mark.django_db(transaction=True)


async def counts() -> tuple[int, int, int]:
    return await db.call(
        lambda: (Conversation.objects.count(), Turn.objects.count(), Message.objects.count())
    )


class TestTheSameSendTwice:
    async def test_is_one_message_and_one_turn_even_in_a_race(self) -> None:
        engines.install(engine := make_engine())
        auth, send = visitor(), new_send()
        started = await asyncio.gather(*(service.start_turn(auth, send) for _ in range(8)))
        await engine.idle()

        assert len({one.turn_id for one in started}) == 1
        assert [one.created for one in started].count(True) == 1
        assert await counts() == (1, 1, 2)

    async def test_after_the_answer_finds_the_turn_again(self) -> None:
        engines.install(engine := make_engine())
        auth, send = visitor(), new_send()
        first = await service.start_turn(auth, send)
        await engine.idle()
        again = await service.start_turn(auth, send)

        assert (again.turn_id, again.created) == (first.turn_id, False)
        assert await counts() == (1, 1, 2)

    async def test_by_two_people_is_two_turns(self) -> None:
        engines.install(engine := make_engine())
        send = new_send()
        one, two = [await service.start_turn(who, send) for who in (visitor(), visitor())]
        await engine.idle()

        assert one.turn_id != two.turn_id


class TestASecondMessage:
    async def test_waits_for_the_running_turn(self) -> None:
        engines.install(engine := make_engine(gate := asyncio.Event()))
        auth, send = visitor(), new_send()
        await service.start_turn(auth, send)
        with pytest.raises(TurnInProgress):
            await service.start_turn(auth, new_send(conversation_id=send.conversation_id))
        gate.set()
        await engine.idle()

        assert (await counts())[:2] == (1, 1)

    async def test_of_different_sends_in_a_race_lets_exactly_one_in(self) -> None:
        engines.install(engine := make_engine(gate := asyncio.Event()))
        auth = visitor()
        sends = [new_send(conversation_id="thread") for _ in range(6)]
        results = await asyncio.gather(
            *(service.start_turn(auth, send) for send in sends), return_exceptions=True
        )
        gate.set()
        await engine.idle()

        refused = [one for one in results if isinstance(one, TurnInProgress)]
        assert len(refused) == len(sends) - 1
        assert (await counts())[:2] == (1, 1)

    async def test_is_answered_with_the_servers_history(self) -> None:
        engines.install(engine := make_engine())
        auth, thread = visitor(), "thread"
        await service.start_turn(auth, new_send("first question?", conversation_id=thread))
        await engine.idle()
        turn = await service.start_turn(auth, new_send("second question?", conversation_id=thread))
        await engine.idle()

        state = (await db.call(Turn.objects.get, pk=turn.turn_id)).state
        assert [past["content"] for past in state["history"]] == ["first question?", "".join(WORDS)]


class TestHistoryOnTheWire:
    PAST = (Utterance(role="user", content="hi?"), Utterance(role="assistant", content="hello."))

    async def test_seeds_an_unknown_thread_and_is_marked_as_the_clients(self) -> None:
        engines.install(engine := make_engine())
        turn = await service.start_turn(visitor(), new_send(history=self.PAST))
        await engine.idle()

        state = (await db.call(Turn.objects.get, pk=turn.turn_id)).state
        assert [(past["role"], past["content"]) for past in state["history"]] == [
            ("user", "hi?"),
            ("assistant", "hello."),
        ]
        seeded = await db.call(lambda: Message.objects.filter(from_client=True).count())
        assert seeded == 2

    async def test_is_ignored_for_a_known_thread(self) -> None:
        engines.install(engine := make_engine())
        auth, send = visitor(), new_send()
        await service.start_turn(auth, send)
        await engine.idle()
        await service.start_turn(auth, new_send(conversation_id=send.conversation_id, history=self.PAST))
        await engine.idle()

        assert await db.call(lambda: Message.objects.filter(from_client=True).count()) == 0

    async def test_is_capped_by_turns_and_characters(self) -> None:
        engines.install(engine := make_engine(MAX_HISTORY_TURNS=2, MAX_HISTORY_CHARS=25))
        past = tuple(Utterance(role="user", content=f"message {n}") for n in range(10))
        await service.start_turn(visitor(), new_send(history=past))
        await engine.idle()

        kept = await db.call(
            lambda: list(Message.objects.filter(from_client=True).values_list("text", flat=True))
        )
        assert kept == ["message 8", "message 9"]


LONG = "x" * 8001


class Measured(str):
    """A text that knows which threads have looked at its length."""

    threads: set[int]

    def __len__(self) -> int:
        self.threads.add(threading.get_ident())
        return super().__len__()


class TestTheCheck:
    async def test_of_a_message_holds_up_nobody_else(self) -> None:
        engines.install(engine := make_engine())
        text = Measured(QUESTION)
        text.threads = set()
        await service.start_turn(visitor(), new_send(text))
        await engine.idle()

        assert text.threads
        assert threading.get_ident() not in text.threads


class TestABadMessage:
    @pytest.mark.parametrize(
        ("changes", "code", "field"),
        [
            ({"text": ""}, "message_empty", "text"),
            ({"text": " \n\t"}, "message_empty", "text"),
            ({"text": LONG}, "message_too_long", "text"),
            ({"text": "\x00 \ud83d"}, "message_empty", "text"),
            ({"conversation_id": ""}, "bad_input", "conversation_id"),
            ({"conversation_id": "a b"}, "bad_input", "conversation_id"),
            ({"client_id": "x" * 65}, "bad_input", "client_id"),
            ({"client_id": "line\n"}, "bad_input", "client_id"),
            ({"channel": "x" * 17}, "bad_input", "channel"),
            ({"locale": "x" * 36}, "bad_input", "locale"),
            ({"history": (Utterance(role="user", content=LONG),)}, "bad_input", "history"),
            ({"history": (Utterance(role="user", content="x"),) * 101}, "bad_input", "history"),
        ],
    )
    async def test_is_refused_by_code_and_field_before_any_row(
        self, changes: dict[str, Any], code: str, field: str
    ) -> None:
        engines.install(make_engine())
        with pytest.raises(AssistError) as refused:
            await service.start_turn(visitor(), new_send(**changes))

        assert (refused.value.code, refused.value.field) == (code, field)
        assert await counts() == (0, 0, 0)

    async def test_of_nobody_is_refused(self) -> None:
        engines.install(make_engine())
        with pytest.raises(AssistError) as refused:
            await service.start_turn(AuthContext(), Send("thread", "send", QUESTION))

        assert refused.value.code == "not_signed_in"

    async def test_is_taken_without_what_no_row_may_hold(self) -> None:
        engines.install(engine := make_engine())
        await service.start_turn(visitor(), new_send("my card\x00 password is hunter2, is it covered?"))
        await engine.idle()

        question = await db.call(Message.objects.get, author=Message.Author.MEMBER)
        state = (await db.call(Turn.objects.get)).state
        assert question.text == state["question"]
        assert "hunter2" not in question.text
        assert "\x00" not in question.text

    async def test_of_just_the_allowed_length_is_taken(self) -> None:
        engines.install(engine := make_engine())
        await service.start_turn(visitor(), new_send("x" * 8000))
        await engine.idle()

        assert await counts() == (1, 1, 2)
