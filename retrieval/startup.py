"""What a starting process checks about knowledge, and says.

Start-up stops only for one thing: vectors of another encoder than the one loaded, because their cosines
would be noise that looks like scores. No index yet, or no encoder, is said in the log and survived.
"""

import logging

from plancover_assist.embedding.factory import EmbedderUnavailable, get_embedder
from plancover_assist.errors import Misconfigured
from plancover_assist.identity.context import TenantScope
from retrieval.questions import analyse
from retrieval.selectors import find_live_generation, get_scope_facts
from retrieval.worlds import is_foreign

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


def warm_up() -> None:
    """Load what the first question would otherwise wait for: encoder, word lists, the index's words.

    Takes one to two seconds, more where the encoder must be built; safe to call from a thread.
    """
    live = find_live_generation()
    if live is None:
        return
    facts = get_scope_facts(live.pk, TenantScope())
    question = analyse("mera claim kab tak pass hoga", facts.vocabulary)
    try:
        get_embedder().embed_query(question.vector_text)
        is_foreign("insurance")
    except EmbedderUnavailable:
        logger.info("nothing to warm up but the words: there is no encoder")
