"""How the live index suits the encoder that this process loaded: what a start says, and what it refuses.

One thing is refused: vectors of another encoder than the one loaded, because their cosines would be noise
that looks like scores. No index yet, or no encoder, is said and survived. The answer is worked out anew each
time, so a process that was refused becomes ready once a reindex has made the index its own.
"""

import logging
from dataclasses import dataclass

from plancover_assist.embedding.factory import EmbedderUnavailable, get_embedder
from plancover_assist.errors import Misconfigured
from plancover_assist.health import KEYWORD_ONLY, MISMATCH, MISSING, OK
from retrieval.selectors import find_live_generation

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Standing:
    """One of readiness' words for the encoder, and the sentence about it for an operator."""

    word: str
    told: str = ""


def find_standing() -> Standing:
    """Compare the loaded encoder with the live index; the first call of a process loads the encoder."""
    try:
        loaded = get_embedder().model_id
    except EmbedderUnavailable as problem:
        return Standing(KEYWORD_ONLY, f"No encoder: {problem.message} Answers carry the tier keyword_only.")
    live = find_live_generation()
    if live is None:
        return Standing(OK, "There is no search index yet; run `manage.py reindex`.")
    if not live.model_id:
        told = "The live index has no vectors: answers carry the tier keyword_only until a reindex."
        return Standing(KEYWORD_ONLY, told)
    if live.model_id != loaded:
        return Standing(MISMATCH, _mismatch(live.model_id, loaded))
    return Standing(OK)


def _mismatch(indexed: str, loaded: str) -> str:
    return (
        f"The search index was made by {indexed}, but {loaded} is loaded. "
        "Run `manage.py reindex`, or load the encoder of the index."
    )


def index_word() -> str:
    """Return readiness' word for the index: without one every question would be abstained from."""
    return OK if find_live_generation() is not None else MISSING


def encoder_word() -> str:
    """Return readiness' word for the encoder: `ok`, `keyword_only` or `mismatch`."""
    return find_standing().word


def verify() -> None:
    """Say in the log what answers will lack; raises `Misconfigured` when index and encoder differ."""
    standing = find_standing()
    if standing.word == MISMATCH:
        raise Misconfigured(standing.told)
    if standing.told:
        logger.warning(standing.told)
