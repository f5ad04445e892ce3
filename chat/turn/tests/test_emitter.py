"""Numbers are neither lost nor doubled, whoever is cancelled in the middle of it."""

import asyncio
import random

import pytest

from chat.turn.emitter import Emitter
from chat.turn.events import Delta
from chat.turn.log.base import Entry
from chat.turn.log.in_process import InProcessLog


class SlowLog(InProcessLog):
    """Takes its time for every entry, so that a cancellation hits it in the middle."""

    async def append(self, turn_id: str, entry: Entry) -> None:
        await asyncio.sleep(0.001)
        await super().append(turn_id, entry)


class TestEmitter:
    @pytest.mark.parametrize("seed", range(10))
    async def test_keeps_every_number_through_cancellations(self, seed: int) -> None:
        chance, log = random.Random(seed), SlowLog()
        emitter = Emitter(log, turn_id="turn", attempt=1, last_seq=0)
        for n in range(20):
            emitting = asyncio.create_task(emitter.emit(Delta, text=f"{n}"))
            await asyncio.sleep(chance.choice([0, 0, 0.0005, 0.003]))
            emitting.cancel()
        await emitter.settle()

        entries = await log.read("turn", after=0, wait=0)
        assert emitter.last_seq > 0
        assert [entry.seq for entry in entries] == list(range(1, emitter.last_seq + 1))

    async def test_goes_on_from_the_number_it_is_given(self) -> None:
        log = InProcessLog()
        emitter = Emitter(log, turn_id="turn", attempt=2, last_seq=41)
        await emitter.emit(Delta, text="a")

        assert [entry.seq for entry in await log.read("turn", after=0, wait=0)] == [42]

    async def test_refuses_an_event_that_was_not_built_last(self) -> None:
        emitter = Emitter(InProcessLog(), turn_id="turn", attempt=1, last_seq=0)
        early = emitter.build(Delta, text="early")
        await emitter.emit(Delta, text="first")

        with pytest.raises(ValueError, match="event 1 published after 1"):
            await emitter.publish(early)
