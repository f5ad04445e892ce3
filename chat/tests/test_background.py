"""The process' background work leaves nothing open behind it."""

import asyncio

import pytest

from chat.background import run_background
from chat.tests.support import install
from chat.turn.log.in_process import InProcessLog

pytestmark = pytest.mark.django_db(transaction=True)


class ClosingLog(InProcessLog):
    """Remembers that it was closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True
        await super().aclose()


class TestRunBackground:
    async def test_closes_the_engine_when_it_is_cancelled(self) -> None:
        log = ClosingLog()
        install(log=log)
        running = asyncio.create_task(run_background())
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait({running})
        assert running.cancelled()
        assert log.closed
