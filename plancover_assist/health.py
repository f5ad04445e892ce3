"""Whether this process lives (`/healthz`) and whether it can serve (`/readyz`).

Liveness asks nothing of anybody else, so a slow database never gets a healthy process restarted. Readiness
says which part is missing in fixed words and nothing about versions, addresses or errors. Knows no app:
what only they can tell is handed in by the URLs.
"""

import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any

import redis.asyncio
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from redis.exceptions import RedisError

from plancover_assist import db

REDIS_SECONDS = 2.0
OK, MISSING, UNAVAILABLE, NOT_USED = "ok", "missing", "unavailable", "not_used"
# Of a part that is there in a lesser form, and of one that contradicts another, which no waiting mends.
KEYWORD_ONLY, MISMATCH = "keyword_only", "mismatch"
SERVING = frozenset({OK, KEYWORD_ONLY})
READY, NOT_READY, REFUSED = "ready", "not_ready", "refused"

logger = logging.getLogger(__name__)


def reach_database() -> None:
    """Raises `DatabaseError` when the database does not answer."""
    connection.ensure_connection()


def is_migrated() -> bool:
    """Whether the database has every migration of this program."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


@dataclass(slots=True)
class Readiness:
    """The answer to `/readyz`.

    Attributes:
        required: further parts that must be there, name to a plain sync function, run on the database
            bridge, that gives the part's word.
        reach: raises `DatabaseError` without a database.
        has_tables: whether every migration is applied.
        migrated: set once every migration is applied, since that never becomes untrue while we run.
    """

    required: dict[str, Callable[[], str]]
    reach: Callable[[], None] = reach_database
    has_tables: Callable[[], bool] = is_migrated
    migrated: bool = field(default=False, init=False)

    async def __call__(self, _request: HttpRequest) -> JsonResponse:
        """200 when every required part is there, else 503. A missing Redis is told but does not count."""
        parts = await self._required_parts()
        status = _status(parts.values())
        body = {"status": status, "parts": parts | {"redis": await ping_redis(settings.REDIS_URL)}}
        code = 200 if status == READY else 503
        return JsonResponse(body, status=code, headers={"Cache-Control": "no-store"})

    async def _required_parts(self) -> dict[str, str]:
        try:
            return await db.call(self._ask_database)
        except DatabaseError:
            logger.warning("The database does not answer.", exc_info=True)
            return {"database": UNAVAILABLE}

    def _ask_database(self) -> dict[str, str]:
        self.reach()
        self.migrated = self.migrated or self.has_tables()
        if not self.migrated:
            return {"database": OK, "migrations": MISSING}
        return {"database": OK, "migrations": OK} | {name: word() for name, word in self.required.items()}


def _status(words: Iterable[str]) -> str:
    """`refused` tells whoever waits that waiting is no use: somebody must change something first."""
    found = set(words)
    if MISMATCH in found:
        return REFUSED
    return READY if found <= SERVING else NOT_READY


async def ping_redis(url: str) -> str:
    """`ok`, `unavailable`, or `not_used` when no Redis is configured."""
    if not url:
        return NOT_USED
    client = redis.asyncio.Redis.from_url(
        url, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
    )
    try:
        await client.ping()
    except (RedisError, OSError):
        return UNAVAILABLE
    finally:
        await client.aclose()
    return OK


async def healthz(_request: HttpRequest) -> JsonResponse:
    """200 as long as this process answers at all."""
    return JsonResponse({"status": "alive"}, headers={"Cache-Control": "no-store"})


def readyz(**required: Callable[[], str]) -> Callable[[HttpRequest], Coroutine[Any, Any, JsonResponse]]:
    """A view for `/readyz` that also asks for the named parts, as in `readyz(index=index_word)`."""
    readiness = Readiness(required)

    async def view(request: HttpRequest) -> JsonResponse:
        return await readiness(request)

    return view
