"""A Hindi or Hinglish question read in English, word by word, from the glossary.

The encoder puts a Hindi question 0.1 of cosine further from an English sentence than from the Hindi one of
the same meaning. Read in English, the question can be compared with English papers fairly. The reading is
for comparing, never for showing.
"""

from collections.abc import Collection
from dataclasses import dataclass

from plancover_assist.text.function_words import FUNCTION_WORDS
from plancover_assist.text.glossary import gloss
from plancover_assist.text.tokens import words_with_offsets

_FUNCTION_WORDS = frozenset(FUNCTION_WORDS) | frozenset(FUNCTION_WORDS.values())


@dataclass(frozen=True, slots=True)
class EnglishReading:
    """`text` in English words; `known` is the share of the content words that could be read, 0 to 1."""

    text: str
    known: float


def read_in_english(text: str, romanised: Collection[str]) -> EnglishReading:
    """Read a question; `romanised` holds its Hindi words in Latin letters, lower case, as typed."""
    words = [word.text.lower() for word in words_with_offsets(text)]
    hindi = [word for word in words if word in romanised or not word.isascii()]
    english = [word for word in words if word not in hindi]
    content = [word for word in hindi if word not in _FUNCTION_WORDS]
    read = [word for word in content if gloss([word])]
    known = (len(read) + len(english)) / max(1, len(content) + len(english))
    return EnglishReading(" ".join([*english, *gloss(hindi)]), known)
