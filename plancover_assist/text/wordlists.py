"""How common a word is, in English and in Hindi, from the lists inside the wordfreq package.

Loaded on first use and then kept: a few megabytes. Shares are of running text, 0 to 1.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from plancover_assist.text.devanagari import fold

_DEVANAGARI_WORD = re.compile(r"[\u0900-\u0963\u0970-\u097F]+")


@lru_cache(maxsize=1)
def english() -> Mapping[str, float]:
    """Return the share of each common English word; words rarer than one in a million are absent."""
    return _frequencies("en")


@lru_cache(maxsize=1)
def hindi() -> Mapping[str, float]:
    """Return the share of each Hindi word written in Devanagari, keyed by its folded spelling.

    Spellings that fold together are one word and their shares add up.
    """
    shares: dict[str, float] = {}
    for word, share in _frequencies("hi").items():
        if _DEVANAGARI_WORD.fullmatch(word):
            shares[fold(word)] = shares.get(fold(word), 0.0) + share
    return shares


def _frequencies(language: str) -> Mapping[str, float]:
    from wordfreq import get_frequency_dict  # costs a sixth of a second and is needed by Hinglish alone

    frequencies: Mapping[str, float] = get_frequency_dict(language, wordlist="small")
    return frequencies
