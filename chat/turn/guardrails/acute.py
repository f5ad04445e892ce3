"""Tells an emergency from a question about one, in English, Hindi and Hinglish.

A sign (something dire said in any words) is weighed against what makes the same words innocent: that it is
over, imagined, a figure of speech, or the name of a cover. When both readings stand, somebody in danger
wins. Words and signs are data beside this module; it answers nothing itself and never diagnoses.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from chat.turn.guardrails.scene import Scene, View
from chat.turn.lexicon import Lexicon, load_toml, words_of
from chat.turn.patterns import Pattern

_HERE = Path(__file__).parent


class AcuteKind(StrEnum):
    """What is happening; each has its own numbers to call."""

    MEDICAL = "medical"
    SELF_HARM = "self_harm"
    VIOLENCE = "violence"
    CHILD = "child"


class Strength(StrEnum):
    """How much a sign needs beside it; acute_signs.toml says what each means."""

    ALWAYS = "always"
    GRAVE = "grave"
    SYMPTOM = "symptom"
    STATE = "state"
    EVENT = "event"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class AcuteHit:
    """`phrase` is the matched words, normalised: folded and lower case."""

    kind: AcuteKind
    phrase: str


@dataclass(frozen=True, slots=True)
class Sign:
    kind: AcuteKind
    strength: Strength
    pattern: Pattern


# Who is in danger from whom decides the numbers, so the narrower kinds are looked for first.
_ORDER = (AcuteKind.SELF_HARM, AcuteKind.CHILD, AcuteKind.VIOLENCE, AcuteKind.MEDICAL)


def find_acute(text: str) -> AcuteHit | None:
    """Return what is happening now according to the message, or None when nothing is."""
    words = words_of(text)
    scene = Scene(words, _lexicon().hear(words))
    return next((hit for sign in acute_signs() for hit in _hits(sign, scene)), None)


def _hits(sign: Sign, scene: Scene) -> Iterator[AcuteHit]:
    for sentence in scene.sentences():
        for start, end in sign.pattern.matches(sentence):
            if _is_happening(sign, scene.around(start, end)):
                yield AcuteHit(sign.kind, scene.phrase(start, end))


def _is_happening(sign: Sign, view: View) -> bool:
    if view.is_figure or view.is_imagined or view.is_denied or view.is_over:
        return False
    if sign.kind is not AcuteKind.MEDICAL and view.is_illness_striking:
        return False
    return _WEIGHED[sign.strength](view)


def _grave(view: View) -> bool:
    return view.is_live or view.is_somebody or not view.is_question_of_cover


def _named(view: View) -> bool:
    """Tell whether a named illness goes on: by verb, by urgency, by who has it, or as all that is said."""
    if view.is_named_only:
        return False
    if view.is_alone or view.is_news:
        return True
    if view.is_live:
        return view.is_going_on or view.is_somebody or not view.is_question_of_cover
    return view.is_somebody and not (view.is_question_of_cover or view.is_asking)


def _symptom(view: View) -> bool:
    stands_alone = not (view.is_named_only or view.is_question_of_cover or view.is_asking)
    return stands_alone or _named(view)


def _state(view: View) -> bool:
    return not view.is_state_untrue and (view.is_turned_away or _symptom(view))


def _trouble(view: View) -> bool:
    return view.is_cry_for_help and not view.is_named_only


_WEIGHED: Mapping[Strength, Callable[[View], bool]] = {
    Strength.ALWAYS: lambda _: True,
    Strength.GRAVE: _grave,
    Strength.SYMPTOM: _symptom,
    Strength.STATE: _state,
    Strength.EVENT: _named,
    Strength.TROUBLE: _trouble,
}


@cache
def _lexicon() -> Lexicon:
    data: Any = load_toml(_HERE / "acute_words.toml")
    return Lexicon(data["concepts"], masking=data["masking"])


@cache
def acute_signs() -> tuple[Sign, ...]:
    """Return the signs in the order in which they are looked for."""
    kinds: Any = load_toml(_HERE / "acute_signs.toml")
    return tuple(sign for kind in _ORDER for sign in _signs_of(kind, kinds[kind]))


def _signs_of(kind: AcuteKind, by_strength: Mapping[str, Sequence[tuple[str, int]]]) -> Iterator[Sign]:
    for strength in Strength:
        for parts, within in by_strength[strength]:
            yield Sign(kind, strength, Pattern.parse(parts, within))
