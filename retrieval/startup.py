"""What a starting process checks about knowledge, and says.

Start-up stops only for one thing: vectors of another encoder than the one loaded, because their cosines
would be noise that looks like scores. No index yet, or no encoder, is said in the log and survived.
"""

import logging

from plancover_assist.embedding.factory import EmbedderUnavailable, get_embedder
from plancover_assist.errors import Misconfigured
from retrieval.selectors import find_live_generation

logger = logging.getLogger(__name__)


def verify() -> None:
    """Compare the loaded encoder with the live index; raises `Misconfigured` when their ids differ."""
    live = find_live_generation()
    if live is None:
        logger.warning("there is no search index yet; run `manage.py reindex`")
        return
    try:
        loaded = get_embedder().model_id
    except EmbedderUnavailable as problem:
        logger.warning("no encoder (%s): answers carry the tier keyword_only", problem.message)
        return
    if live.model_id and live.model_id != loaded:
        raise Misconfigured(
            f"The search index was made by {live.model_id}, but {loaded} is loaded. "
            "Run `manage.py reindex`, or load the encoder of the index."
        )
    if not live.model_id:
        logger.warning("the live index has no vectors: answers carry the tier keyword_only until a reindex")
