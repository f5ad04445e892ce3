"""A turn is a job and its watchers only read: what they see through lost connections, and how it ends."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

import pytest

from chat.models import Message, Turn, TurnStatus
from chat.turn import engine as engines
from chat.turn import following, service
from chat.turn.engine import Engine
from chat.turn.events import Event, Final, Heartbeat
from chat.turn.log.base import Entry, TurnLog
from chat.turn.log.in_process import InProcessLog
from chat.turn.log.redis_stream import RedisStreamLog
from chat.turn.log.resilient import ResilientLog
from chat.turn.tests.support import (
    ScriptedModel,
    ScriptedSearch,
    ending,
    found,
    is_delta,
    make_engine,
    new_send,
    numbers_of,
    only,
    text_of,
    visitor,
    watch_all,
    watch_until,
)
from plancover_assist import db
from plancover_assist.errors import Conflict, NotFound
from plancover_assist.identity.context import AuthContext
from retrieval.types import SearchQuery, SearchResult

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 10
DISCONNECTS_A_TURN = 20


async def start(engine: Engine, auth: AuthContext) -> uuid.UUID:
    engines.install(engine)
    return (await service.start_turn(auth, new_send())).turn_id


async def turn_row(turn_id: uuid.UUID) -> Turn:
    return await db.call(Turn.objects.get, pk=turn_id)


async def answer_row(turn_id: uuid.UUID) -> Message:
    return await db.call(Message.objects.get, turn_id=turn_id, author=Message.Author.ASSISTANT)


class Stumbler:
    """A client that keeps losing its connection after a few events, and reconnects from its cursor."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.seen: list[Event] = []
        self.disconnects = 0

    async def watch(self, auth: AuthContext, turn_id: uuid.UUID) -> None:
        while not self.seen or self.seen[-1].type != "final":
            patience = self._random.randint(1, 3) if self.disconnects < DISCONNECTS_A_TURN else 10_000
            cursor = self.seen[-1].seq if self.seen else 0
            async with aclosing(service.watch(auth, turn_id, cursor)) as events:
                await self._take(events, patience)
            self.disconnects += 1
            await asyncio.sleep(self._random.random() / 100)

    async def _take(self, events: AsyncIterator[Event | Heartbeat], patience: int) -> None:
        async for event in events:
            if isinstance(event, Heartbeat):
                continue
            self.seen.append(event)
            patience -= 1
            if patience == 0:
                return


class TestAClientThatKeepsLosingItsConnection:
    @pytest.mark.parametrize("seed", range(TURNS))
    async def test_assembles_the_stored_answer_byte_for_byte(self, seed: int, log: TurnLog) -> None:
        chance = random.Random(seed)
        script: list[str | float] = []
        for n in range(60):
            script += [f"शब्द{n} ₹{n},000 ", chance.random() / 500]
        model = ScriptedModel(*script)
        auth, client = visitor(), Stumbler(seed)
        turn_id = await start(engine := make_engine(model=model, log=log), auth)

        await client.watch(auth, turn_id)
        await engine.idle()

        assert client.disconnects > DISCONNECTS_A_TURN
        assert numbers_of(client.seen) == list(range(1, len(client.seen) + 1))
        stored = await answer_row(turn_id)
        assert (
            text_of(client.seen).encode()
            == stored.text.encode()
            == ending(client.seen, Final).answer.encode()
        )
        assert len(model.requests) == 1


class TestASecondWatcher:
    async def test_sees_the_same_events_from_another_process(
        self, redis_url: str, shared_log: RedisStreamLog
    ) -> None:
        near = ResilientLog(near=InProcessLog(), shared=shared_log)
        gate, auth = asyncio.Event(), visitor()
        turn_id = await start(make_engine("The limit ", gate, "is ₹40,000.", log=near), auth)
        elsewhere = RedisStreamLog(redis_url)
        follower = asyncio.create_task(self._follow(elsewhere, turn_id))
        first = await watch_until(auth, turn_id, is_delta)
        gate.set()
        rest = await watch_all(auth, turn_id, first[-1].seq)

        assert await follower == [*first, *rest]
        await elsewhere.aclose()

    async def _follow(self, log: TurnLog, turn_id: uuid.UUID) -> list[Event | Heartbeat]:
        events = following.follow(log, turn_id=turn_id, attempt=1, after=0, heartbeat_seconds=60)
        return [event async for event in events]


async def until_unwatched(log: TurnLog, turn_id: uuid.UUID) -> None:
    """Return once the log knows that the last watcher has left."""
    while True:
        if await log.seconds_unwatched(str(turn_id)):
            return
        await asyncio.sleep(0.01)


class TestATurnThatNobodyWatches:
    async def test_is_cut_after_the_grace_and_keeps_what_was_said(self, log: TurnLog) -> None:
        auth = visitor()
        engine = make_engine("The limit ", asyncio.Event(), log=log, DRAIN_GRACE_SECONDS=1)
        turn_id = await start(engine, auth)
        await watch_until(auth, turn_id, is_delta)
        await engine.idle()

        turn, answer = await turn_row(turn_id), await answer_row(turn_id)
        assert (turn.status, turn.node, turn.action) == (TurnStatus.INTERRUPTED, "answer", "stopped")
        assert (answer.text, answer.incomplete) == ("The limit ", True)
        final = ending(await watch_all(auth, turn_id), Final)
        assert (final.action, final.incomplete) == ("stopped", True)
        assert final.model_dump(mode="json") == turn.terminal

    async def test_lives_on_while_anybody_comes_back_in_time(self, log: TurnLog) -> None:
        auth, gate = visitor(), asyncio.Event()
        turn_id = await start(make_engine("The ", gate, "limit", log=log, DRAIN_GRACE_SECONDS=60), auth)
        for _ in range(3):
            await watch_until(auth, turn_id, is_delta)
            await until_unwatched(log, turn_id)
        gate.set()

        assert ending(await watch_all(auth, turn_id), Final).action == "answered"

    async def test_goes_on_as_one_new_attempt_from_the_last_saved_node(self) -> None:
        auth = visitor()
        await_for_ever = make_engine("A partial ", asyncio.Event(), DRAIN_GRACE_SECONDS=1)
        turn_id = await start(await_for_ever, auth)
        first = await watch_until(auth, turn_id, is_delta)
        await await_for_ever.idle()

        engines.install(again := make_engine(log=await_for_ever.log))
        await service.continue_turn(auth, turn_id)
        events = await watch_all(auth, turn_id)
        await again.idle()

        assert numbers_of(events) == list(range(1, len(events) + 1))
        second = [event for event in events if event.attempt == 2]
        assert events[: len(first)] == first
        assert text_of(second) == ending(second, Final).answer == (await answer_row(turn_id)).text
        assert isinstance(again.search, ScriptedSearch)
        assert again.search.queries == []
        with pytest.raises(Conflict):
            await service.continue_turn(auth, turn_id)


class TestAStop:
    async def test_ends_the_run_at_once_with_what_was_said(self, log: TurnLog) -> None:
        auth = visitor()
        engine = make_engine("The limit ", asyncio.Event(), log=log)
        turn_id = await start(engine, auth)
        seen = await watch_until(auth, turn_id, is_delta)
        await service.stop(auth, turn_id)
        rest = await watch_all(auth, turn_id, seen[-1].seq)

        final = only(Final, rest)
        assert (final.action, final.incomplete, len(rest)) == ("stopped", True, 1)
        assert final.answer == (await answer_row(turn_id)).text == "The limit "
        await engine.idle()

    async def test_from_another_process_reaches_the_run(
        self, redis_url: str, shared_log: RedisStreamLog
    ) -> None:
        auth = visitor()
        engine = make_engine(asyncio.Event(), log=ResilientLog(near=InProcessLog(), shared=shared_log))
        turn_id = await start(engine, auth)
        elsewhere = RedisStreamLog(redis_url)
        engines.install(make_engine(log=elsewhere))
        await service.stop(auth, turn_id)
        await engine.idle()

        assert (await turn_row(turn_id)).action == "stopped"
        await elsewhere.aclose()

    async def test_is_found_at_the_next_boundary_when_the_log_could_not_carry_it(self) -> None:
        auth, gate = visitor(), asyncio.Event()
        engine = make_engine()

        async def slow(_: SearchQuery) -> SearchResult:
            await gate.wait()
            return found()

        engine.search = slow
        turn_id = await start(engine, auth)
        await watch_until(auth, turn_id, lambda event: event.type == "progress")
        engines.install(make_engine(log=InProcessLog()))
        await service.stop(auth, turn_id)
        gate.set()
        await engine.idle()

        turn = await turn_row(turn_id)
        assert (turn.action, turn.node) == ("stopped", "build_context")

    async def test_of_an_ended_turn_changes_nothing(self) -> None:
        auth = visitor()
        turn_id = await start(engine := make_engine(), auth)
        await engine.idle()
        await service.stop(auth, turn_id)

        assert (await turn_row(turn_id)).action == "answered"


class TestACursor:
    async def test_older_than_the_log_gets_the_terminal_event_from_the_database(self) -> None:
        auth = visitor()
        turn_id = await start(engine := make_engine(), auth)
        await engine.idle()
        engines.install(make_engine(log=InProcessLog()))

        assert [event.model_dump(mode="json") for event in await watch_all(auth, turn_id)] == [
            (await turn_row(turn_id)).terminal
        ]

    async def test_into_a_log_with_a_hole_gets_the_terminal_event_alone(self) -> None:
        auth = visitor()
        turn_id = await start(engine := make_engine(), auth)
        await engine.idle()
        holed = InProcessLog()
        await holed.append(str(turn_id), Entry(4, "{}"))
        engines.install(make_engine(log=holed))

        assert [event.type for event in await watch_all(auth, turn_id)] == ["final"]

    async def test_at_the_terminal_event_gets_nothing_twice(self) -> None:
        auth = visitor()
        turn_id = await start(engine := make_engine(), auth)
        seen = await watch_all(auth, turn_id)
        await engine.idle()

        assert await watch_all(auth, turn_id, seen[-1].seq) == []


class TestSomebodyElsesTurn:
    async def test_answers_exactly_like_an_unknown_one(self) -> None:
        turn_id = await start(engine := make_engine(), visitor())
        await engine.idle()
        stranger, said = visitor(), set()
        calls: list[Callable[[AuthContext, uuid.UUID], Awaitable[object]]] = [
            service.stop,
            service.continue_turn,
            watch_all,
        ]
        for asked in (turn_id, uuid.uuid4()):
            for call in calls:
                with pytest.raises(NotFound) as refused:
                    await call(stranger, asked)
                said.add((refused.value.code, refused.value.message, refused.value.field))

        assert len(said) == 1


class TestSilence:
    async def test_is_filled_with_heartbeats(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(following, "CHECK_SECONDS", 0.2)
        auth = visitor()
        turn_id = await start(engine := make_engine(asyncio.Event(), SSE_HEARTBEAT_SECONDS=1), auth)
        async with aclosing(service.watch(auth, turn_id)) as events:
            async for event in events:
                if isinstance(event, Heartbeat):
                    break
        await service.stop(auth, turn_id)
        await engine.idle()

        assert event == Heartbeat(turn_id=str(turn_id))
