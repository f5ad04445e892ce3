"""Runs work on text away from the event loop, so that one long message holds up nobody else's turn.

For pure functions of text only: rows are reached through `plancover_assist.db`.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# Of its own, because the loop's default threads also write whole answers: an emergency must not queue there.
_POOL = ThreadPoolExecutor(max_workers=2, thread_name_prefix="text")


async def off_loop(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` on a thread and return its result; log lines keep the name of their turn."""
    job = partial(contextvars.copy_context().run, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_POOL, job)
