"""What every turn log promises, held against each implementation; Redis is a real one."""

import asyncio
from typing import Any

import pytest

from chat.turn.log.base import MAX_ENTRIES, Entry, LogUnavailable, TurnLog
from chat.turn.log.in_process import InProcessLog
from chat.turn.log.redis_stream import RedisStreamLog
from chat.turn.log.resilient import ResilientLog

GONE = "unix:///nowhere/redis.sock"


def entry(seq: int) -> Entry:
    return Entry(seq, f'{{"n":{seq}}}')


async def fill(log: TurnLog, turn_id: str, count: int) -> None:
    for seq in range(1, count + 1):
        await log.append(turn_id, entry(seq))


class TestEveryLog:
    async def test_gives_back_what_lies_beyond_a_cursor(self, log: TurnLog, turn_id: str) -> None:
        await fill(log, turn_id, 5)

        assert await log.read(turn_id, after=3, wait=0) == [entry(4), entry(5)]
        assert await log.read(turn_id, after=5, wait=0) == []
        assert await log.last_seq(turn_id) == 5

    async def test_refuses_a_number_that_was_taken_and_goes_on(self, log: TurnLog, turn_id: str) -> None:
        await fill(log, turn_id, 2)
        await log.append(turn_id, Entry(2, "again"))
        await log.append(turn_id, entry(3))

        assert await log.read(turn_id, after=0, wait=0) == [entry(1), entry(2), entry(3)]

    async def test_wakes_a_follower_that_waits(self, log: TurnLog, turn_id: str) -> None:
        reading = asyncio.create_task(log.read(turn_id, after=0, wait=30))
        await asyncio.sleep(0.05)
        await log.append(turn_id, entry(1))

        assert await reading == [entry(1)]

    async def test_drops_the_oldest_beyond_its_cap(self, log: TurnLog, turn_id: str) -> None:
        await fill(log, turn_id, MAX_ENTRIES + 1)

        kept = await log.read(turn_id, after=0, wait=0)
        assert (len(kept), kept[0]) == (MAX_ENTRIES, entry(2))

    async def test_counts_watchers_until_they_leave(self, log: TurnLog, turn_id: str) -> None:
        assert await log.seconds_unwatched(turn_id) is None
        await log.watch(turn_id, "one")
        await log.watch(turn_id, "two")
        await log.unwatch(turn_id, "one")
        assert await log.seconds_unwatched(turn_id) == 0
        await log.unwatch(turn_id, "two")
        await asyncio.sleep(0.02)
        assert (await log.seconds_unwatched(turn_id) or 0) > 0

    async def test_keeps_a_stop_for_the_attempt_it_was_meant_for(self, log: TurnLog, turn_id: str) -> None:
        await log.request_stop(turn_id, 1)

        assert not await log.wait_for_stop(turn_id, 2, wait=0.05)
        assert await log.wait_for_stop(turn_id, 1, wait=30)

    async def test_wakes_a_run_that_waits_for_a_stop(self, log: TurnLog, turn_id: str) -> None:
        waiting = asyncio.create_task(log.wait_for_stop(turn_id, 1, wait=30))
        await asyncio.sleep(0.05)
        await log.request_stop(turn_id, 1)

        assert await waiting

    async def test_can_be_read_after_its_end(self, log: TurnLog, turn_id: str) -> None:
        await fill(log, turn_id, 2)
        await log.end(turn_id)

        assert await log.read(turn_id, after=0, wait=0) == [entry(1), entry(2)]


class TestTheLogInMemory:
    async def test_forgets_watchers_and_turns_whose_time_is_over(self, turn_id: str) -> None:
        now = [0.0]
        log = InProcessLog(clock=lambda: now[0])
        await log.watch(turn_id, "one")
        await fill(log, turn_id, 1)
        await log.end(turn_id)

        now[0] = 4.0
        assert await log.seconds_unwatched(turn_id) == 1.0
        assert log.covers(turn_id, 0)
        now[0] = 601.0
        await log.append("another", entry(1))
        assert not log.covers(turn_id, 0)


class TestTheLogInRedis:
    async def test_is_one_log_for_all_processes(
        self, redis_url: str, shared_log: RedisStreamLog, turn_id: str
    ) -> None:
        other = RedisStreamLog(redis_url)
        await fill(shared_log, turn_id, 2)
        await other.watch(turn_id, "elsewhere")
        await other.request_stop(turn_id, 1)

        assert await other.read(turn_id, after=1, wait=0) == [entry(2)]
        assert await shared_log.seconds_unwatched(turn_id) == 0
        assert await shared_log.wait_for_stop(turn_id, 1, wait=30)
        await other.aclose()

    async def test_lives_for_an_hour_and_ten_minutes_after_its_end(
        self, shared_log: RedisStreamLog, turn_id: str
    ) -> None:
        commands: Any = shared_log._commands
        await fill(shared_log, turn_id, 1)
        live = await commands.ttl(f"turn:{turn_id}:events")
        await shared_log.end(turn_id)
        ended = await commands.ttl(f"turn:{turn_id}:events")

        assert 3500 < live <= 3600
        assert 500 < ended <= 600

    async def test_speaks_of_an_outage_in_its_own_words(self, turn_id: str) -> None:
        gone = RedisStreamLog(GONE)

        with pytest.raises(LogUnavailable):
            await gone.append(turn_id, entry(1))
        with pytest.raises(LogUnavailable):
            await gone.read(turn_id, after=0, wait=0)


class FailingAfter(InProcessLog):
    """A shared store that dies after a number of entries."""

    def __init__(self, entries: int) -> None:
        super().__init__()
        self._left = entries

    async def append(self, turn_id: str, entry: Entry) -> None:
        if self._left == 0:
            raise LogUnavailable("gone")
        self._left -= 1
        await super().append(turn_id, entry)


class TestTheResilientLog:
    async def test_keeps_everything_near_when_the_store_dies_in_mid_turn(self, turn_id: str) -> None:
        log = ResilientLog(near=InProcessLog(), shared=FailingAfter(2))
        await fill(log, turn_id, 5)
        await log.end(turn_id)

        assert await log.read(turn_id, after=0, wait=0) == [entry(seq) for seq in range(1, 6)]

    async def test_drops_its_near_copy_once_the_store_has_it_all(self, turn_id: str) -> None:
        near = InProcessLog()
        log = ResilientLog(near=near, shared=InProcessLog())
        await fill(log, turn_id, 2)
        await log.end(turn_id)

        assert not near.covers(turn_id, 0)
        assert await log.read(turn_id, after=0, wait=0) == [entry(1), entry(2)]

    async def test_keeps_nothing_near_for_those_who_come_after_the_end(self, turn_id: str) -> None:
        near = InProcessLog()
        log = ResilientLog(near=near, shared=InProcessLog())
        await log.watch(turn_id, "one")
        await fill(log, turn_id, 2)
        await log.watch(turn_id, "one")
        assert near.holds(turn_id)
        await log.end(turn_id)

        await log.unwatch(turn_id, "one")
        await log.watch(turn_id, "two")
        await log.unwatch(turn_id, "two")
        assert await log.seconds_unwatched(turn_id) is not None
        assert await log.last_seq(turn_id) == 2
        await log.request_stop(turn_id, 1)
        assert await log.wait_for_stop(turn_id, 1, wait=30)
        assert len(await log.read(turn_id, after=0, wait=0)) == 2
        assert not near.holds(turn_id)

    async def test_keeps_nothing_near_for_a_turn_it_cannot_know_without_the_store(self, turn_id: str) -> None:
        near = InProcessLog()
        log = ResilientLog(near=near, shared=RedisStreamLog(GONE))
        await log.watch(turn_id, "one")
        await log.unwatch(turn_id, "one")

        assert await log.read(turn_id, after=0, wait=0) == []
        assert await log.seconds_unwatched(turn_id) is None
        assert await log.last_seq(turn_id) == 0
        assert not near.holds(turn_id)

    async def test_works_without_the_store_from_the_start(self, turn_id: str) -> None:
        log = ResilientLog(near=InProcessLog(), shared=RedisStreamLog(GONE))
        await fill(log, turn_id, 2)
        await log.watch(turn_id, "one")
        stopping = asyncio.create_task(log.wait_for_stop(turn_id, 1, wait=30))
        await asyncio.sleep(0.05)
        await log.request_stop(turn_id, 1)

        assert await log.read(turn_id, after=1, wait=0) == [entry(2)]
        assert await log.seconds_unwatched(turn_id) == 0
        assert await stopping
