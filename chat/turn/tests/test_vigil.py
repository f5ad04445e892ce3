"""How long a run is left alone with nobody watching."""

import asyncio
import time
import uuid
from collections.abc import Iterable

import pytest

from chat.services.leases import Hold
from chat.turn import vigil
from chat.turn.engine import process_lease
from chat.turn.log.in_process import InProcessLog
from chat.turn.vigil import Vigil


class Unwatched(InProcessLog):
    """A log that says in turn for how many seconds nobody has watched."""

    def __init__(self, seconds: Iterable[float | None]) -> None:
        super().__init__()
        self._seconds = iter(seconds)
        self.looks = 0

    async def seconds_unwatched(self, turn_id: str) -> float | None:
        self.looks += 1
        return next(self._seconds)


class TestARunThatNobodyWatches:
    @pytest.mark.parametrize(
        ("unwatched", "looks"),
        [((4.9, 0.0, 4.9, 5.1), 4), ((0.0, 6.0), 2), ((None,), 1)],
        ids=["in time and then not", "too late", "never watched"],
    )
    async def test_is_given_the_whole_grace_and_no_more(
        self, unwatched: tuple[float | None, ...], looks: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vigil, "WATCH_TICK_SECONDS", 0.01)
        log, hold = Unwatched(unwatched), Hold(uuid.uuid4(), 1, 1, process_lease())
        working = asyncio.create_task(asyncio.Event().wait())
        await Vigil(log, hold, grace=5, _began_at=time.monotonic() - 60).keep(working)

        assert (working.done(), log.looks) == (False, looks)
        working.cancel()
