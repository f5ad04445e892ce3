"""Finds the words by which a member speaks of what is theirs: "my", "hamari", "मुझे", "do I have".

Whole words only, in three languages and any spelling. A cue may widen a turn towards the member's own
record; it never narrows one, and it decides nothing alone.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from chat.turn.lexicon import Lexicon, load_toml, words_of

_WORDS = Path(__file__).with_name("cue_words.toml")


@dataclass(frozen=True, slots=True)
class Cues:
    """The words found, as normalised: `own` possessives and the like, `weak` a bare I or we, `kin` family."""

    own: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    kin: tuple[str, ...] = ()


def find_cues(text: str) -> Cues:
    """Return the cues of a message; possessives of a thought, a friend or a workplace are none."""
    words = words_of(text)
    found: dict[str, list[str]] = {"own": [], "someone_like_me": [], "kin": []}
    for one in _lexicon().hear(words):
        if one.concept in found:
            found[one.concept].append(" ".join(word.text for word in words[one.start : one.end]))
    return Cues(*(tuple(cues) for cues in found.values()))


@cache
def _lexicon() -> Lexicon:
    data: Any = load_toml(_WORDS)
    return Lexicon(data["concepts"], masking=data["masking"])
