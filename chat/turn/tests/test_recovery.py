"""A turn whose process died, or whose Redis died, still ends exactly once."""

import asyncio
import uuid
from datetime import date, timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from chat.models import Escalation, Message, Turn, TurnStatus
from chat.services.boundaries import Boundary, save_boundary
from chat.services.leases import Hold, LeaseLost, claim_lost_turns, renew_lease
from chat.turn import engine as engines
from chat.turn import service
from chat.turn.engine import Engine
from chat.turn.events import Event, Final
from chat.turn.limits import MAX_ATTEMPTS
from chat.turn.log.base import MAX_ENTRIES, TurnLog
from chat.turn.log.in_process import InProcessLog
from chat.turn.log.resilient import ResilientLog
from chat.turn.sweep import sweep_forever, sweep_once
from chat.turn.tests.support import (
    ending,
    escalation_of,
    is_delta,
    make_engine,
    new_send,
    numbers_of,
    text_of,
    types_of,
    visitor,
    watch_all,
    watch_until,
)
from chat.turn.tests.test_log import FailingAfter
from plancover_assist import db
from plancover_assist.identity.context import AuthContext

pytestmark = pytest.mark.django_db(transaction=True)


async def kill(engine: Engine) -> None:
    """End every run as the end of its process would: no ending is written."""
    for run in list(engine._runs):
        run.cancel()
    await engine.idle()


async def a_lost_turn(log: TurnLog, auth: AuthContext, **columns: object) -> tuple[uuid.UUID, list[Event]]:
    """A turn whose process died in the middle of its answer, and whose lease has run out."""
    engine = make_engine("The limit ", asyncio.Event(), log=log)
    engines.install(engine)
    turn_id = (await service.start_turn(auth, new_send())).turn_id
    seen = await watch_until(auth, turn_id, is_delta)
    await kill(engine)
    lapsed = {"lease_until": Now() - timedelta(seconds=1), **columns}
    await db.call(lambda: Turn.objects.filter(pk=turn_id).update(**lapsed))
    return turn_id, seen


async def sweep(engine: Engine) -> int:
    engines.install(engine)
    swept = await sweep_once(engine)
    await engine.idle()
    return swept


class TestALostTurn:
    async def test_is_carried_on_as_a_new_attempt_and_answered_once(self, log: TurnLog) -> None:
        auth = visitor()
        turn_id, seen = await a_lost_turn(log, auth)

        assert await sweep(make_engine(log=log)) == 1
        events = await watch_all(auth, turn_id)
        assert events[: len(seen)] == seen
        assert numbers_of(events) == list(range(1, len(events) + 1))
        second = [event for event in events if event.attempt == 2]
        assert types_of(second)[0] == "turn_started"
        answer = await db.call(Message.objects.get, turn_id=turn_id, author=Message.Author.ASSISTANT)
        assert text_of(second) == ending(second, Final).answer == answer.text
        assert not answer.incomplete

    async def test_is_left_alone_while_its_lease_holds(self) -> None:
        await a_lost_turn(InProcessLog(), visitor(), lease_until=Now() + timedelta(seconds=60))

        assert await sweep(make_engine()) == 0

    async def test_is_taken_by_one_of_two_sweeps(self) -> None:
        await a_lost_turn(InProcessLog(), visitor())
        one, two = make_engine(), make_engine()
        engines.install(one)

        assert sum(await asyncio.gather(sweep_once(one), sweep_once(two))) == 1
        await one.idle()
        await two.idle()

    @pytest.mark.parametrize(
        "columns", [{"attempt": MAX_ATTEMPTS}, {"started_at": Now() - timedelta(hours=1)}]
    )
    async def test_is_handed_over_when_tried_too_often_or_too_old(self, columns: dict[str, object]) -> None:
        auth, log = visitor(), InProcessLog()
        turn_id, _ = await a_lost_turn(log, auth, **columns)
        await sweep(make_engine(log=log))

        events = await watch_all(auth, turn_id)
        assert (ending(events, Final).action, escalation_of(events).reason) == ("escalated", "turn_lost")
        escalation = await db.call(Escalation.objects.get)
        assert escalation_of(events).reference == escalation.reference
        assert (await db.call(Turn.objects.get)).status == TurnStatus.ENDED

    async def test_is_handed_over_when_its_state_cannot_be_read(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        auth, log = visitor(), InProcessLog()
        state = {"question": "What?", "answer": ["my biopsy"], "my sister": 1}
        turn_id, _ = await a_lost_turn(log, auth, state=state)
        await sweep(make_engine(log=log))

        assert escalation_of(await watch_all(auth, turn_id)).reason == "turn_lost"
        assert "2 problems" in caplog.text
        assert "biopsy" not in caplog.text
        assert "sister" not in caplog.text

    async def test_is_ended_as_stopped_when_the_member_had_asked_for_that(self) -> None:
        auth, log = visitor(), InProcessLog()
        turn_id, _ = await a_lost_turn(log, auth, stop_requested=True)
        await sweep(make_engine(log=log))

        assert ending(await watch_all(auth, turn_id), Final).action == "stopped"

    async def test_never_takes_a_number_that_a_lost_log_may_have_given(self) -> None:
        auth = visitor()
        turn_id, seen = await a_lost_turn(InProcessLog(), auth)
        await sweep(make_engine())

        turn = await db.call(Turn.objects.get, pk=turn_id)
        assert turn.terminal is not None
        assert turn.terminal["seq"] > seen[-1].seq
        assert turn.terminal["seq"] > MAX_ENTRIES

    async def test_never_takes_such_a_number_when_it_died_before_its_first_boundary(self) -> None:
        auth = visitor()
        turn_id, seen = await a_lost_turn(InProcessLog(), auth, last_seq=0, node="prepare")
        await sweep(make_engine())

        turn = await db.call(Turn.objects.get, pk=turn_id)
        assert turn.terminal is not None
        assert turn.terminal["seq"] > MAX_ENTRIES > seen[-1].seq

    async def test_lets_the_next_message_in(self) -> None:
        auth, log = visitor(), InProcessLog()
        turn_id, _ = await a_lost_turn(log, auth)
        await sweep(engine := make_engine(log=log))
        thread = await db.call(lambda: Turn.objects.select_related("conversation").get(pk=turn_id))

        again = new_send(conversation_id=thread.conversation.client_key)
        started = await service.start_turn(auth, again)
        assert ending(await watch_all(auth, started.turn_id), Final).action == "answered"
        await engine.idle()


class TestTheSweep:
    async def test_carries_the_others_on_when_one_turn_cannot_be_launched(self) -> None:
        log = InProcessLog()
        lost = [(await a_lost_turn(log, visitor()))[0] for _ in range(3)]
        engine, days = make_engine(log=log), iter([None, date(2026, 11, 30), date(2026, 11, 30)])

        def a_day_but_for_the_first() -> date:
            day = next(days)
            if day is None:
                raise ValueError("no date")
            return day

        engine.today = a_day_but_for_the_first
        assert await sweep(engine) == len(lost)

        actions = await db.call(lambda: [turn.action for turn in Turn.objects.all()])
        assert sorted(actions) == ["", "answered", "answered"]

    async def test_asks_the_database_no_more_for_many_turns_than_for_one(self) -> None:
        for _ in range(3):
            await a_lost_turn(InProcessLog(), visitor())
        engines.install(engine := make_engine())

        def queries(limit: int) -> int:
            with CaptureQueriesContext(connection) as captured:
                assert len(claim_lost_turns(lease=engine.lease, limit=limit)) == limit
            return sum(query["sql"].startswith("SELECT") for query in captured)

        assert await db.call(queries, 2) == await db.call(queries, 1)

    async def test_runs_at_once_and_until_it_is_told_to_stop(self) -> None:
        auth, log, stop = visitor(), InProcessLog(), asyncio.Event()
        turn_id, _ = await a_lost_turn(log, auth)
        engines.install(engine := make_engine(log=log))
        sweeping = asyncio.create_task(sweep_forever(stop))
        events = await watch_all(auth, turn_id)
        stop.set()
        await sweeping
        await engine.idle()

        assert ending(events, Final).action == "answered"


class TestAProcessThatLostItsLease:
    async def test_can_write_nothing_any_more(self) -> None:
        log = InProcessLog()
        turn_id, _ = await a_lost_turn(log, visitor())
        old = Hold(turn_id, 1, 1, make_engine().lease)
        before = await db.call(lambda: Turn.objects.values().get(pk=turn_id))
        boundary = Boundary(99, "answer", "end", 1.0, "{}", 99)

        with pytest.raises(LeaseLost):
            await db.call(save_boundary, old, boundary)
        with pytest.raises(LeaseLost):
            await db.call(renew_lease, old)
        assert await db.call(lambda: Turn.objects.values().get(pk=turn_id)) == before


class TestRedisDyingInMidTurn:
    @pytest.mark.parametrize("entries", range(9))
    async def test_loses_nothing_for_whoever_watches(self, entries: int) -> None:
        auth = visitor()
        log = ResilientLog(near=InProcessLog(), shared=FailingAfter(entries))
        engines.install(engine := make_engine(log=log))
        turn_id = (await service.start_turn(auth, new_send())).turn_id
        events = await watch_all(auth, turn_id)
        await engine.idle()

        assert numbers_of(events) == list(range(1, 9))
        assert text_of(events) == ending(events, Final).answer
        assert await watch_all(auth, turn_id) == events
