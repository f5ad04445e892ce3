"""The turn log as a Redis Stream: any process can follow a turn that another one runs.

An entry's id is the event's number, so a command that the client library repeats after a cut connection is
refused by the server instead of being stored twice. No exception of the client library leaves this module.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from chat.turn.log.base import (
    ENDED_SECONDS,
    LIVE_SECONDS,
    MAX_ENTRIES,
    WATCH_LEASE_SECONDS,
    Entry,
    LogUnavailable,
)

COMMAND_SECONDS = 1.0  # a store slower than this is treated as gone: no answer waits for it
BLOCK_SECONDS = 5.0  # longest blocking read; longer waits are asked for again
MAX_CONNECTIONS = 400  # a run and a follower from elsewhere hold one each; well below 1,024 open files

# A watcher's score is the moment until which it counts; leaving sets it to now. The store's own clock
# decides, so web processes need not agree on the time. A script's numbers would arrive as integers.
_NOW = "local t = redis.call('TIME'); local now = t[1] + t[2] / 1000000;"
_WATCH_FOR = f"""{_NOW}
    redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
    redis.call('EXPIRE', KEYS[1], ARGV[3])
"""
_SINCE_LAST = f"""{_NOW}
    local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
    if last[2] then return tostring(now - last[2]) end
"""


class RedisStreamLog:
    """Belongs to one event loop. `url` is a redis:// or unix:// address."""

    def __init__(self, url: str) -> None:
        self._commands = _connect(url, COMMAND_SECONDS)
        # Blocking reads hold a connection each, and may be silent for as long as they block.
        self._blocking = _connect(url, BLOCK_SECONDS + COMMAND_SECONDS)

    async def append(self, turn_id: str, entry: Entry) -> None:
        key = _events(turn_id)
        with _translated():
            async with self._commands.pipeline(transaction=False) as pipe:
                pipe.xadd(key, {"e": entry.data}, id=f"{entry.seq}-0", maxlen=MAX_ENTRIES, approximate=False)
                pipe.expire(key, LIVE_SECONDS)
                added, _ = await pipe.execute(raise_on_error=False)
            _check_added(added)

    async def read(self, turn_id: str, *, after: int, wait: float) -> list[Entry]:
        block = max(1, int(1000 * min(wait, BLOCK_SECONDS)))  # 0 would block for ever
        with _translated():
            found: Any = await self._blocking.xread({_events(turn_id): f"{after}-0"}, block=block)
        return [_entry(item) for _, items in _pairs(found) for item in items]

    async def last_seq(self, turn_id: str) -> int:
        with _translated():
            newest: Any = await self._commands.xrevrange(_events(turn_id), count=1)
        return _entry(newest[0]).seq if newest else 0

    async def end(self, turn_id: str) -> None:
        with _translated():
            await self._commands.expire(_events(turn_id), ENDED_SECONDS)

    async def watch(self, turn_id: str, watcher: str) -> None:
        await self._script(_WATCH_FOR, turn_id, watcher, WATCH_LEASE_SECONDS, ENDED_SECONDS)

    async def unwatch(self, turn_id: str, watcher: str) -> None:
        await self._script(_WATCH_FOR, turn_id, watcher, 0, ENDED_SECONDS)

    async def seconds_unwatched(self, turn_id: str) -> float | None:
        since = await self._script(_SINCE_LAST, turn_id)
        return None if since is None else max(0.0, float(since))

    async def request_stop(self, turn_id: str, attempt: int) -> None:
        key = _stop(turn_id, attempt)
        with _translated():
            async with self._commands.pipeline(transaction=True) as pipe:
                pipe.rpush(key, "stop")
                pipe.expire(key, LIVE_SECONDS)
                await pipe.execute()

    async def wait_for_stop(self, turn_id: str, attempt: int, *, wait: float) -> bool:
        seconds = max(0.01, min(wait, BLOCK_SECONDS))  # 0 would block for ever
        with _translated():
            taken: Any = await self._blocking.blpop([_stop(turn_id, attempt)], timeout=seconds)
        return taken is not None

    async def aclose(self) -> None:
        await self._commands.aclose()
        await self._blocking.aclose()

    async def _script(self, script: str, turn_id: str, *arguments: str | int) -> Any:
        with _translated():
            return await self._commands.eval(script, 1, _watchers(turn_id), *arguments)


def _connect(url: str, seconds: float) -> Any:
    # `Any`: the library types every command as "maybe awaitable", for its sync and async clients at once.
    return Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=seconds,
        socket_connect_timeout=COMMAND_SECONDS,
        retry=Retry(NoBackoff(), 1),
        max_connections=MAX_CONNECTIONS,
    )


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise LogUnavailable(str(error)) from error


def _check_added(result: object) -> None:
    """A refused number was stored by the same command before; anything else is a failure."""
    if isinstance(result, ResponseError) and "equal or smaller" in str(result):
        return
    if isinstance(result, Exception):
        raise result


def _entry(item: tuple[str, dict[str, str]]) -> Entry:
    number, fields = item
    return Entry(int(number.partition("-")[0]), fields["e"])


def _pairs(found: Any) -> list[tuple[str, list[Any]]]:
    # The reply is a list of pairs in RESP2 and a mapping in RESP3.
    return list(found.items() if isinstance(found, dict) else found or [])


def _events(turn_id: str) -> str:
    return f"turn:{turn_id}:events"


def _watchers(turn_id: str) -> str:
    return f"turn:{turn_id}:watchers"


def _stop(turn_id: str, attempt: int) -> str:
    return f"turn:{turn_id}:{attempt}:stop"
