"""Both kinds of turn log, and the one a deployment has, for the tests that must hold for each."""

import uuid
from collections.abc import AsyncIterator

import pytest

from chat.turn.log.base import TurnLog
from chat.turn.log.in_process import InProcessLog
from chat.turn.log.redis_stream import RedisStreamLog
from chat.turn.log.resilient import ResilientLog


@pytest.fixture(params=["in process", "redis", "resilient"])
async def log(request: pytest.FixtureRequest) -> AsyncIterator[TurnLog]:
    if request.param == "in process":
        yield InProcessLog()
        return
    shared = RedisStreamLog(request.getfixturevalue("redis_url"))
    yield shared if request.param == "redis" else ResilientLog(near=InProcessLog(), shared=shared)
    await shared.aclose()


@pytest.fixture
async def shared_log(redis_url: str) -> AsyncIterator[RedisStreamLog]:
    """A second process' view of the same Redis."""
    shared = RedisStreamLog(redis_url)
    yield shared
    await shared.aclose()


@pytest.fixture
def turn_id() -> str:
    return str(uuid.uuid4())
