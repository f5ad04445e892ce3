"""The one tokeniser of the keyword leg, and words with their places in a text.

Documents and questions must go through the same `tokenise`, otherwise they cannot meet. Sentences are
offered here too, because readers look for them beside the words.
"""

import threading
from functools import lru_cache

import regex
import Stemmer

from plancover_assist.text.devanagari import fold, latin_digits
from plancover_assist.text.sentences import split_sentences, truncate
from plancover_assist.text.spans import Span
from plancover_assist.text.stopwords import ENGLISH_STOP_WORDS

__all__ = ["Span", "split_sentences", "tokenise", "truncate", "words_with_offsets"]

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_WORD_IN_TEXT = regex.compile(r"[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*")
# 5,00,000 and 1,200 are numbers; "clause 4,5" is two.
_GROUPING_COMMA = regex.compile(r"(?<=\d),(?=\d{2,3}(?!\d))")
_POSSESSIVE = regex.compile(r"['\u2019]s\b")
_APOSTROPHE = regex.compile(r"(?<=\p{L})['\u2019](?=\p{L})")
_PLAIN_ENGLISH = regex.compile(r"[a-z]+")
# The standard exclusion codes are typed as Excl04, Excl 4, Excl-04 and exclusion 4.
_EXCLUSION_CODE = regex.compile(r"\bexcl(?:usion)?[\s.\-]*(\d{1,2})\b")
_COMPOUND = regex.compile(r"(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)+(?![\p{L}\p{N}])")
_CLAUSE_NUMBER = regex.compile(r"\d+(?:\.\d+)+")
_SEPARATOR = regex.compile(r"[-./_]")
_NUMBER_WITH_UNIT = regex.compile(
    r"(\d+)(rs|hrs?|hours?|days?|din|months?|mahine|yrs?|years?|saal|lakhs?|lacs?)"
)
_STEM_CACHE_WORDS = 50_000

_local = threading.local()


def tokenise(text: str) -> list[str]:
    """Return the lexemes of a text in order, identifiers additionally as one whole lexeme.

    English words lose stop words and endings; Devanagari words only their spelling variants, because
    stemming them was measured to lose more than it finds. `Excl-04` also gives `excl04`, `5.3` also `5.3`.
    """
    normal = _normalise(text)
    lexemes = [lexeme for word in _WORD.findall(normal) for lexeme in _lexemes(word)]
    known = set(lexemes)
    return lexemes + [whole for whole in _identifiers(normal) if whole not in known]


def words_with_offsets(text: str) -> list[Span]:
    """Return the words exactly as written, with character offsets into `text`."""
    return [Span(match.start(), match.end(), match.group()) for match in _WORD_IN_TEXT.finditer(text)]


def _normalise(text: str) -> str:
    text = fold(latin_digits(text)).lower()
    text = _APOSTROPHE.sub("", _POSSESSIVE.sub("", text))
    return _GROUPING_COMMA.sub("", text)


def _lexemes(word: str) -> list[str]:
    if word in ENGLISH_STOP_WORDS:
        return []
    if _PLAIN_ENGLISH.fullmatch(word):
        return [_stem(word)]
    unit = _NUMBER_WITH_UNIT.fullmatch(word)
    return [word, unit[1], _stem(unit[2])] if unit else [word]


def _identifiers(normal: str) -> list[str]:
    codes = [f"excl{int(number):02d}" for number in _EXCLUSION_CODE.findall(normal)]
    wholes = [_whole(compound) for compound in _COMPOUND.findall(normal)]
    return [identifier for identifier in dict.fromkeys(codes + wholes) if identifier]


def _whole(compound: str) -> str:
    """Return the identifier a joined-up word stands for, or nothing when it is just words or a range."""
    if _CLAUSE_NUMBER.fullmatch(compound):
        return compound
    has_letters = any(char.isalpha() for char in compound)
    has_digits = any(char.isdigit() for char in compound)
    return _SEPARATOR.sub("", compound) if has_letters and has_digits else ""


@lru_cache(maxsize=_STEM_CACHE_WORDS)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


def _stemmer() -> Stemmer.Stemmer:
    """Return this thread's stemmer: the library keeps state in each and is not safe to share."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    stemmer: Stemmer.Stemmer = _local.stemmer
    return stemmer
