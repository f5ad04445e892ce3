"""The one bridge from async code to the database.

Services and selectors are plain sync functions. Django's default bridge runs every sync call of a
process on one thread, so two retrieval legs would wait for each other; this one owns a bounded thread
pool, and every thread draws its connection from Django's pool for the length of one call. It must not
hold rules, retries or transactions: those belong to the functions it calls.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections, connections

P = ParamSpec("P")
T = TypeVar("T")


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=settings.DB_BRIDGE_THREADS, thread_name_prefix="db-bridge")


def _run(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    except (OperationalError, InterfaceError):
        _drop_dead_connections()
        raise
    finally:
        for connection in connections.all(initialized_only=True):
            connection.close_if_unusable_or_obsolete()


def _drop_dead_connections() -> None:
    """Replace every pooled connection that a restarted server has cut.

    Trying each one before each use would cost a third of a search; so one call fails, and no second one.
    """
    pool = getattr(connections["default"], "pool", None)
    if pool is not None:
        pool.check()


async def call(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run one sync database function on the bridge and return its result.

    Cancelling the caller does not stop a statement that has begun: the thread finishes it, so a write
    is either whole or absent. Context variables (request id, turn id) travel with the call.
    """
    context = contextvars.copy_context()
    job = partial(context.run, _run, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_pool(), job)
