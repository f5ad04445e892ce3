"""Finds turns whose process died, and carries them on as a new attempt or hands them over to people.

Runs in every web process; a turn is taken by exactly one of them. A turn that was tried too often, or that
nobody waits for any more, ends as `turn_lost` with its escalation.
"""

import asyncio
import logging

from chat.services.leases import claim_lost_turns
from chat.turn.engine import Engine, get_engine
from chat.turn.limits import SWEEP_BATCH, SWEEP_SECONDS
from plancover_assist import db

logger = logging.getLogger(__name__)


async def sweep_once(engine: Engine) -> int:
    """Take over what is lost now and return how many turns that were.

    One that cannot be launched is lost again when its lease runs out; the others are not held up by it.
    """
    lost = await db.call(claim_lost_turns, lease=engine.lease, limit=SWEEP_BATCH)
    for turn in lost:
        claimed = turn.claimed
        logger.warning("turn %s was lost; attempt %s", claimed.turn_id, claimed.attempt)
        try:
            engine.launch(claimed, turn.owner, recovered=True)
        except Exception:
            logger.exception("turn %s could not be launched", claimed.turn_id)
    return len(lost)


async def sweep_forever(stop: asyncio.Event) -> None:
    """Sweep at once and then every `SWEEP_SECONDS` until `stop` is set; a failed sweep is tried again."""
    engine = get_engine()
    while not stop.is_set():
        try:
            await sweep_once(engine)
        except Exception:
            logger.exception("the sweep for lost turns failed")
        try:
            async with asyncio.timeout(SWEEP_SECONDS):
                await stop.wait()
        except TimeoutError:
            continue
