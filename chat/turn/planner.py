"""Plans a turn by rules: its kind, the parts of the record it touches, and what to search for.

Rules can only move a turn towards the member's own data: when nothing speaks of the member it is knowledge.
Nothing here searches, reads a record or refuses; words and patterns are data beside this module.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from chat.turn.cues import find_cues
from chat.turn.lexicon import Heard, Lexicon, Word, load_toml, words_of
from chat.turn.patterns import Pattern
from chat.turn.state import Kind, Plan, Utterance
from plancover_assist.text.dates import find_date

_WORDS = Path(__file__).with_name("plan_words.toml")
_RECORD = "record."
_SMALL_TALK = ("who", "thanks", "bye", "greeting")  # the first that is heard names the reply
# Next year's terms, the price of a head, an insurer's or a hospital's record: no policy paper holds them.
UNCOVERED = "uncovered"
_OUT_OF_SCOPE = ("medical", "other_person", "other_product", "general", UNCOVERED)
_SHORT_FOLLOW_UP = 7  # words; a longer message says itself what it is about
# A short message that names one of these stands on its own.
_TOPICS = (
    "benefit",
    "general_rule",
    "definition",
    "product",
    "elsewhere",
    "medicine",
    "do_verb",
    "field",
    "callback",
)
_MAX_SUBJECT_CHARS = 120
# Kinds that may touch the member's record; parts are named for no other.
_OF_RECORD = frozenset({Kind.MEMBER, Kind.MIXED, Kind.ACTION})


@dataclass(frozen=True, slots=True)
class _Reading:
    """One message as the rules see it."""

    text: str
    words: Sequence[Word]
    heard: Sequence[Heard]

    def has(self, *concepts: str) -> bool:
        return any(one.concept in concepts for one in self.heard)

    @property
    def of_record(self) -> bool:
        return any(one.concept.startswith(_RECORD) for one in self.heard)

    def is_made_of(self, *concepts: str) -> bool:
        """Tell whether every word belongs to one of the concepts."""
        chosen = (one for one in self.heard if one.concept in concepts)
        return len({place for one in chosen for place in range(one.start, one.end)}) == len(self.words)

    def fits(self, patterns: Collection[Pattern]) -> bool:
        return any(True for pattern in patterns for _ in pattern.matches(self.heard))


@dataclass(frozen=True, slots=True)
class _Rules:
    lexicon: Lexicon
    patterns: Mapping[str, tuple[Pattern, ...]]


def plan_by_rules(
    text: str, *, lang: str, history: Sequence[Utterance], today: date, signed_in: bool
) -> Plan:
    """Return the plan of a message; `history` is oldest first and does not hold the message itself.

    `searches` holds the standalone question, empty where nothing is to be searched. `subject` is the
    question's own words, or which small talk (greeting, thanks, bye, who) or which limit of scope (medical,
    other_person, other_product, general, or `uncovered` for what no paper can hold) it is. A bare "I" asks
    for a record only of somebody who has one: signed out it adds nothing; who may read what is judged
    elsewhere.
    """
    question = standalone(text, history)
    small_talk = _small_talk(_read(text))
    reading = _read(question)
    outside = "" if small_talk else _outside(reading)
    kind = _kind(reading, small_talk, outside, signed_in=signed_in)
    return Plan(
        kind=kind,
        record_parts=_record_parts(reading) if kind in _OF_RECORD else (),
        searches=() if small_talk or outside else (question,),
        subject=small_talk or outside or question[:_MAX_SUBJECT_CHARS],
        lang=lang,
        asked_on=(find_date(text, today=today) or today).isoformat(),
    )


def standalone(text: str, history: Sequence[Utterance]) -> str:
    """Return a short follow-up joined with the member's last question, any other message unchanged."""
    question = " ".join(text.split())
    previous = next((past.content for past in reversed(history) if past.role == "user"), "")
    if not previous or not _leans_on_previous(_read(question)):
        return question
    return f"{' '.join(previous.split())} {question}"


def _leans_on_previous(reading: _Reading) -> bool:
    if len(reading.words) > _SHORT_FOLLOW_UP or _small_talk(reading):
        return False
    begins = any(one.concept == "linking" and one.start == 0 for one in reading.heard)
    says_nothing_else = reading.is_made_of("definition", "linking", "pronoun", "filler")
    return begins or says_nothing_else or reading.has("pronoun") or not _has_topic(reading)


def _has_topic(reading: _Reading) -> bool:
    return reading.of_record or reading.has(*_TOPICS)


def _kind(reading: _Reading, small_talk: str, outside: str, *, signed_in: bool) -> Kind:
    if small_talk:
        return Kind.SMALL_TALK
    if outside:
        return Kind.OUT_OF_SCOPE
    if _is_action(reading):
        return Kind.ACTION
    return _kind_of_question(reading, signed_in=signed_in)


def _small_talk(reading: _Reading) -> str:
    """Return which small talk a message is, or nothing when any word of it says more."""
    if not reading.is_made_of(*_SMALL_TALK, "filler"):
        return ""
    return next((name for name in _SMALL_TALK if reading.has(name)), "")


def _outside(reading: _Reading) -> str:
    for name in _OUT_OF_SCOPE:
        if reading.fits(_rules().patterns[name]):
            return "" if name == "medical" and reading.has("claimish") else name
    return ""


def _is_action(reading: _Reading) -> bool:
    if reading.has("asks_how", "duty"):
        return False
    return _opens_with_order(reading) or reading.fits(_rules().patterns["action"])


def _opens_with_order(reading: _Reading) -> bool:
    """Tell whether the message begins with a verb of doing and names a thing: "upload this bill"."""
    verbs = [one for one in reading.heard if one.concept == "do_verb" and one.start == 0]
    things = (one for one in reading.heard if one.concept == "do_thing")
    return bool(verbs) and any(thing.start >= verbs[0].end for thing in things)


def _kind_of_question(reading: _Reading, *, signed_in: bool) -> Kind:
    cues = find_cues(reading.text)
    if reading.has("general_rule") and not cues.own:
        return Kind.KNOWLEDGE
    if _asks_for_state(reading, mine=bool(cues.own)):
        return Kind.MEMBER
    if reading.has("definition") and not cues.own:
        return Kind.MIXED if reading.has("happened") else Kind.KNOWLEDGE
    about_family = cues.kin and reading.of_record
    if cues.own or about_family or (signed_in and cues.weak) or reading.has("benefit"):
        return Kind.MIXED
    return Kind.KNOWLEDGE


def _asks_for_state(reading: _Reading, *, mine: bool) -> bool:
    """Tell whether only the record can say: how far, how much is left, who is in, when it comes."""
    if reading.has("waiting_for") and reading.of_record:
        return True
    about_record = mine or (reading.of_record and not reading.has("definition", "benefit"))
    return reading.has("status") and about_record


def _record_parts(reading: _Reading) -> tuple[str, ...]:
    named = (one.concept.removeprefix(_RECORD) for one in reading.heard if one.concept.startswith(_RECORD))
    return tuple(dict.fromkeys(named))


def _read(text: str) -> _Reading:
    words = words_of(text)
    return _Reading(text, words, _rules().lexicon.hear(words))


@cache
def _rules() -> _Rules:
    data: Any = load_toml(_WORDS)
    patterns = {
        name: tuple(Pattern.parse(parts, within) for parts, within in rows)
        for name, rows in data["patterns"].items()
    }
    return _Rules(Lexicon(data["concepts"], masking=data["masking"]), patterns)
