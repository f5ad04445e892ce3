"""Putting romanised Hindi back into Devanagari, word by word, so that the vector leg understands it.

"mera claim kyon pending hai" becomes "मेरा claim क्यों pending है": English words stay, because documents use
them. A text without Hindi function words is left alone. The result is for searching, never for showing.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from plancover_assist.text import phonetic, wordlists
from plancover_assist.text.devanagari import fold
from plancover_assist.text.function_words import FUNCTION_WORDS
from plancover_assist.text.glossary import is_known
from plancover_assist.text.language import is_romanised_hindi
from plancover_assist.text.tokens import tokenise, words_with_offsets

# Share of running English text above which a word is taken as English (retrieval-lab, section 3).
_ENGLISH_SHARE = 2e-6
# Below this English share a word may be a Hindi homograph, if Hindi has it this many times as often and it
# sounds the same; looser bounds begin to take "app" for आप and "lie" for लिए.
_HOMOGRAPH_ENGLISH_SHARE, _HOMOGRAPH_RATIO, _HOMOGRAPH_LIKENESS = 1e-5, 20.0, 0.9
_ENGLISH_C = re.compile("c(?!h)")  # romanised Hindi writes k
# Score of a candidate: commonness and likeness, weighted as measured on people's Hinglish.
_COMMONNESS_WEIGHT, _LIKENESS_WEIGHT = 0.35, 6.0
# Words found only by their consonants must at least look like what was typed.
_SKELETON_LIKENESS = 0.6
# An index word that the frequency list lacks counts as this rare.
_UNLISTED_SHARE = 1e-7
_CACHED_WORDS = 20_000
_LATIN_WORD = re.compile("[a-z]{2,}")


@dataclass(frozen=True, slots=True)
class Restored:
    """`text` in mixed script; `hindi_words` as they were typed, lower case, in order."""

    text: str
    hindi_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A Devanagari spelling for a typed word; the higher the score the likelier (about -1 to 5)."""

    word: str
    score: float


class PhoneticIndex:
    """Devanagari words by sound. Immutable once built; building takes about half a second."""

    def __init__(self, shares: Mapping[str, float]) -> None:
        self._shares = shares
        self._by_key: dict[str, list[str]] = {}
        self._by_skeleton: dict[str, list[str]] = {}
        for word in shares:
            key = phonetic.key(word)
            self._by_key.setdefault(key, []).append(word)
            self._by_skeleton.setdefault(phonetic.skeleton(key), []).append(word)

    def candidates(self, typed: str) -> list[Candidate]:
        """Return the spellings that sound like `typed`, best first; empty when nothing is near."""
        key = phonetic.key(typed)
        scored = [self._score(typed, word) for word in self._by_key.get(key, ())]
        if not scored:
            alike = self._by_skeleton.get(phonetic.skeleton(key), ())
            scored = [
                self._score(typed, word)
                for word in alike
                if phonetic.likeness(typed, word) >= _SKELETON_LIKENESS
            ]
        return sorted(scored, key=lambda candidate: -candidate.score)

    def _score(self, typed: str, word: str) -> Candidate:
        commonness = math.log(self._shares[word])
        return Candidate(
            word, _COMMONNESS_WEIGHT * commonness + _LIKENESS_WEIGHT * phonetic.likeness(typed, word)
        )


def restore(
    text: str, vocabulary: Collection[str] = frozenset(), hindi_vocabulary: frozenset[str] = frozenset()
) -> Restored:
    """Return `text` with its Hindi words in Devanagari, and those words.

    `vocabulary` holds the lexemes (as `tokenise` makes them) of the index's English documents: such words
    stay as typed, which keeps floater, AYUSH and PED whole; a romanised Hindi word that slipped into it does
    not. `hindi_vocabulary` holds the Devanagari words of its Hindi documents, so that words too rare for the
    frequency list can be found.
    """
    words = words_with_offsets(text)
    if not is_romanised_hindi([word.text.lower() for word in words]):
        return Restored(text)
    parts: list[str] = []
    hindi: list[str] = []
    position = 0
    for word in words:
        replacement = _restore_word(word.text.lower(), vocabulary, hindi_vocabulary)
        if replacement:
            parts += [text[position : word.start], replacement]
            hindi.append(word.text.lower())
            position = word.end
    return Restored("".join([*parts, text[position:]]), tuple(hindi))


def _restore_word(word: str, vocabulary: Collection[str], hindi_vocabulary: frozenset[str]) -> str:
    """Return the Devanagari form of one lower-case word of a Hinglish text, or nothing when it stays."""
    known = FUNCTION_WORDS.get(word)
    if known or not _LATIN_WORD.fullmatch(word):
        return known or ""
    if _is_index_word(word, vocabulary):
        return ""
    best = _best(word, hindi_vocabulary)
    return "" if _is_english(word, best) else best


def _is_index_word(word: str, vocabulary: Collection[str]) -> bool:
    if not any(lexeme in vocabulary for lexeme in tokenise(word)):
        return False
    return word in wordlists.english() or not is_known(word)


def _is_english(word: str, hindi: str) -> bool:
    share = wordlists.english().get(word, 0.0)
    return share > _ENGLISH_SHARE and not _is_hindi_homograph(word, share, hindi)


def _is_hindi_homograph(word: str, english_share: float, hindi: str) -> bool:
    """Tell whether a rare English word, such as din or sham, is a far commoner Hindi one as well."""
    if english_share > _HOMOGRAPH_ENGLISH_SHARE or _ENGLISH_C.search(word):
        return False
    commoner = wordlists.hindi().get(hindi, 0.0) > _HOMOGRAPH_RATIO * english_share
    return commoner and phonetic.likeness(word, hindi) >= _HOMOGRAPH_LIKENESS


@lru_cache(maxsize=_CACHED_WORDS)
def _best(word: str, hindi_vocabulary: frozenset[str]) -> str:
    found = _index(frozenset()).candidates(word)
    if hindi_vocabulary:
        found += _index(hindi_vocabulary).candidates(word)
    return max(found, key=lambda candidate: candidate.score).word if found else ""


@lru_cache(maxsize=4)
def _index(hindi_vocabulary: frozenset[str]) -> PhoneticIndex:
    """Return the index of the frequency list, or of the given words where they are more than it holds."""
    shares = wordlists.hindi()
    if not hindi_vocabulary:
        return PhoneticIndex(shares)
    return PhoneticIndex(
        {word: _UNLISTED_SHARE for word in map(fold, hindi_vocabulary) if word not in shares}
    )
