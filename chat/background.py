"""What runs beside the requests of a web process: the sweep for lost turns, and one question to warm up.

Started by the ASGI application in its loop. It must not be imported by anything that a turn needs.
"""

import asyncio
import logging

from django.conf import settings

from chat.turn.engine import get_engine, product_today
from chat.turn.guardrails.acute import find_acute
from chat.turn.guardrails.requests import asks_for_person
from chat.turn.off_loop import off_loop
from chat.turn.planner import plan_by_rules
from chat.turn.sweep import sweep_forever
from plancover_assist import db
from plancover_assist.errors import Misconfigured
from plancover_assist.identity.context import TenantScope
from retrieval import startup
from retrieval.types import SearchQuery

logger = logging.getLogger(__name__)

SPARE_SECONDS = 3.0  # beyond the grace of unwatched turns: for storing their endings
QUESTION = "mera claim kab tak pass hoga?"  # Hinglish loads more than the other two languages do


async def run_background() -> None:
    """Run until cancelled, then close the engine of this loop."""
    try:
        await asyncio.gather(sweep_forever(asyncio.Event()), verify_knowledge(), warm_up())
    finally:
        await close_engine()


async def close_engine() -> None:
    """Let the turns end that nobody can watch any more; others are carried on by a sweep."""
    try:
        async with asyncio.timeout(settings.BOUNDS.DRAIN_GRACE_SECONDS + SPARE_SECONDS):
            await get_engine().aclose()
    except TimeoutError:
        logger.warning("turns were still at work when this process ended")


async def verify_knowledge() -> None:
    """Say in the log why `/readyz` refuses this process, or what its answers will lack."""
    try:
        await db.call(startup.verify)
    except Misconfigured as problem:
        logger.critical(problem.message)
    except Exception:
        logger.exception("the index could not be compared with the encoder; /readyz asks again")


async def warm_up() -> None:
    """Load the word lists, the encoder and the index by one question, so that no member waits for them.

    The word lists come first: an emergency may be the first message of all.
    """
    query = SearchQuery(text=QUESTION, scope=TenantScope(), on=product_today(), lang="hinglish")
    try:
        await off_loop(load_word_lists)
        await get_engine().search(query)
    except Exception:
        logger.exception("the warming search failed; the first question will be slower")


def load_word_lists() -> None:
    """Judge a message by every list that a turn judges by."""
    find_acute(QUESTION)
    asks_for_person(QUESTION)
    plan_by_rules(QUESTION, lang="hinglish", history=(), today=product_today(), signed_in=False)
