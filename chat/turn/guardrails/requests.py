"""Tells a wish for a person, and a complaint to be handed over, from questions about either.

"I want to complain" is handed over; "how do I complain?" is a question about the grievance ladder and is
answered. Words are data beside this module.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from chat.turn.lexicon import Heard, Lexicon, load_toml, words_of
from chat.turn.patterns import Pattern

_WORDS = Path(__file__).with_name("request_words.toml")

_FOR_A_PERSON = (
    Pattern.parse("talk person|human", 6),
    Pattern.parse("person|human talk", 5),
    Pattern.parse("want human", 6),
    Pattern.parse("human want", 4),
    Pattern.parse("call_me", 5),
)
_COMPLAINS = (Pattern.parse("wish complain", 5), Pattern.parse("complain wish", 4))
_RESENTS = (
    Pattern.parse("awful service", 6),
    Pattern.parse("service awful", 6),
    Pattern.parse("nobody replies", 6),
)
_BEFORE = 4  # words in which a "not" or a "who" turns a wish into something else
_ALONE = 3  # a message this short that holds only the word is the wish itself: "agent please"


def asks_for_person(text: str) -> bool:
    """Tell whether the member wants a person to take over or to call.

    A call booked for an hour ("callback kal 11 baje") is an action to prepare, not a hand-over.
    """
    words = words_of(text)
    heard = _lexicon().hear(words)
    if _has(heard, "clock") and _has(heard, "call_me"):
        return False
    if len(words) <= _ALONE and _has(heard, "human"):
        return True
    return any(not _is_turned(heard, *span) for span in _spans(_FOR_A_PERSON, heard))


def is_complaint(text: str) -> bool:
    """Tell whether the message is itself a complaint about the service received."""
    heard = _lexicon().hear(words_of(text))
    if _has(heard, "how"):
        return False
    return any(True for _ in _spans((*_COMPLAINS, *_RESENTS), heard))


def _is_turned(heard: Sequence[Heard], start: int, end: int) -> bool:
    """Tell whether a word turns the wish around: English says it before, Hindi right after."""
    before = (one for one in heard if one.concept in ("denied", "who"))
    after = (one for one in heard if one.concept == "denied_after")
    return any(0 <= start - one.end < _BEFORE for one in before) or any(one.start == end for one in after)


def _spans(patterns: Iterable[Pattern], heard: Sequence[Heard]) -> Iterable[tuple[int, int]]:
    return (span for pattern in patterns for span in pattern.matches(heard))


def _has(heard: Iterable[Heard], concept: str) -> bool:
    return any(one.concept == concept for one in heard)


@cache
def _lexicon() -> Lexicon:
    data: Any = load_toml(_WORDS)
    return Lexicon(data["concepts"], masking=data["masking"])
