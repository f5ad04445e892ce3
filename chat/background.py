"""What runs beside the requests of a web process: the sweep for lost turns, and one search to warm up.

Started by the ASGI application in its loop. It must not be imported by anything that a turn needs.
"""

import asyncio
import logging

from chat.turn.engine import get_engine, product_today
from chat.turn.sweep import sweep_forever
from plancover_assist.identity.context import TenantScope
from retrieval.types import SearchQuery

logger = logging.getLogger(__name__)


async def run_background() -> None:
    """Run until cancelled."""
    await asyncio.gather(sweep_forever(asyncio.Event()), warm_up())


async def warm_up() -> None:
    """Load the encoder and the index by one search, so that no member waits for them."""
    query = SearchQuery(text="How do I make a claim?", scope=TenantScope(), on=product_today(), lang="en")
    try:
        await get_engine().search(query)
    except Exception:
        logger.exception("the warming search failed; the first question will be slower")
