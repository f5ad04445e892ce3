"""Which language a message is written in, so that the answer uses the same.

Rules over letters and function words; no model. English is the answer when nothing speaks against it.
"""

from enum import StrEnum
from itertools import pairwise

from plancover_assist.text.devanagari import is_devanagari
from plancover_assist.text.function_words import HOMOGRAPHS, SURE, WEAK
from plancover_assist.text.glossary import is_known
from plancover_assist.text.stopwords import ENGLISH_STOP_WORDS
from plancover_assist.text.tokens import words_with_offsets
from plancover_assist.text.wordlists import english


class Lang(StrEnum):
    """The value is what state, traces and templates use."""

    ENGLISH = "en"
    HINDI = "hi"
    HINGLISH = "hinglish"


# "शिकायत kaise karu" is Hinglish with one Hindi word, "मेरा claim pending है" is Hindi with English words.
_HINDI_SHARE = 1 / 3
_ENGLISH_PHRASES = frozenset({("per", "se"), ("and", "se")})


def detect(text: str) -> Lang:
    """Return the language of a message; digits and punctuation do not count."""
    words = [word.text.lower() for word in words_with_offsets(text)]
    letters = [word for word in words if word[0].isalpha()]
    devanagari = sum(is_devanagari(word) for word in letters)
    if devanagari and devanagari >= _HINDI_SHARE * len(letters):
        return Lang.HINDI
    return Lang.HINGLISH if is_romanised_hindi(letters) else Lang.ENGLISH


def is_romanised_hindi(words: list[str]) -> bool:
    """Tell whether lower-case words are Hinglish.

    One sure function word is enough, or two different weak signs, or one Hindi noun where no English
    function word stands beside it ("papa bharti"; but "what does a lokpal do" is English).
    """
    if any(word in SURE for word in words):
        return True
    weak = {word for previous, word in pairwise(["", *words]) if _is_weak(previous, word)}
    nouns = {word for word in words if _is_hindi_noun(word)}
    if len(weak | nouns) > 1:
        return True
    return bool(nouns) and not any(_is_plain_english(word) for word in words)


def _is_weak(previous: str, word: str) -> bool:
    return word in WEAK and (previous, word) not in _ENGLISH_PHRASES


def _is_hindi_noun(word: str) -> bool:
    return word.isascii() and word.isalpha() and len(word) > 3 and word not in english() and is_known(word)


def _is_plain_english(word: str) -> bool:
    return word in ENGLISH_STOP_WORDS and word not in HOMOGRAPHS
