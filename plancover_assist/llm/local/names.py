"""The proper names of the trade in a question: OPD, LASIK, Excl04. What lacks them is about another thing."""

import regex

from plancover_assist.llm.local.reader import Prompt
from plancover_assist.llm.local.units import Unit

_NAME = regex.compile(r"\b(?:[A-Z]{2,8}|[A-Za-z]{2,6}\d{1,3})\b")
_WORD = regex.compile(r"[A-Za-z]+\d*")


def names_asked(prompt: Prompt) -> frozenset[str]:
    """Return the question's words, however they are typed, that the sources write as names; upper case."""
    texts = (f"{source.heading}\n{source.text}" for source in prompt.sources)
    written = {name.upper() for text in texts for name in _NAME.findall(text)}
    return frozenset(word.upper() for word in _WORD.findall(prompt.question)) & written


def bears(piece: Unit, names: frozenset[str]) -> int:
    """Return 1 when the piece or its heading holds a name asked for, -1 when none, 0 when none is asked."""
    if not names:
        return 0
    held = {word.upper() for word in _WORD.findall(f"{piece.source.heading}\n{piece.text}")}
    return 1 if names & held else -1
