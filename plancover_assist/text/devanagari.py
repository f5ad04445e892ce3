"""Spelling variants of Devanagari that keyboards produce at random, folded to one form.

Only for comparing: text shown to people is never passed through `fold`.
"""

import unicodedata

import regex

DEVANAGARI_LETTER = regex.compile(r"[\u0900-\u0963\u0970-\u097F]")

_LATIN_DIGITS = {0x0966 + value: str(value) for value in range(10)}
# Joiners, byte order marks and soft hyphens are invisible and would cut a word in two.
_INVISIBLE = dict.fromkeys([0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
_NUKTA = "\u093c"
_CHANDRABINDU, _ANUSVARA = "\u0901", "\u0902"
# These three letters hold their nukta inside even after normalisation.
_COMPOSED_NUKTA = str.maketrans("ऩऱऴ", "नरळ", _NUKTA)
# A nasal with virama before a stop of its own row is written as anusvara just as often: हिन्दी, हिंदी.
_HOMORGANIC_NASAL = regex.compile(r"ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")


def latin_digits(text: str) -> str:
    """Replace Devanagari digits by Latin ones; offsets stay valid."""
    return text.translate(_LATIN_DIGITS)


def fold(text: str) -> str:
    """Return the comparison form: NFC, no invisible characters, nukta and nasal signs joined.

    Vowel signs are kept, because they tell words apart (दिन day, दीन poor).
    """
    text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    text = text.translate(_COMPOSED_NUKTA).replace(_CHANDRABINDU, _ANUSVARA)
    return _HOMORGANIC_NASAL.sub(_ANUSVARA, text)


def is_devanagari(word: str) -> bool:
    """Tell whether a word holds any Devanagari letter."""
    return DEVANAGARI_LETTER.search(word) is not None
