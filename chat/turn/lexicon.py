"""Hears concepts in a message: words of three languages, however they are spelt, named by what they mean.

The judging rules (emergencies, requests, cues, the plan) are written over concepts, so that one rule holds
for English, Hindi and Hinglish. Word lists are TOML data beside the rules; this module knows no word itself
and decides nothing.
"""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import regex

from plancover_assist.text import phonetic, wordlists
from plancover_assist.text.devanagari import fold, is_devanagari, latin_digits

_WORD_OR_BREAK = regex.compile(r"[\p{L}\p{M}\p{N}]+|[.?!।॥;:,\n\u2026]")
_APOSTROPHE = regex.compile(r"(?<=\p{L})['\u2019\u02bc`](?=\p{L})")
_STRETCHED = regex.compile(r"(\p{L})\1{2,}")  # "heeelp" is typed for "help", never to spell three letters
_SENTENCE_ENDS = frozenset(".?!।॥;\n")
_BY_SOUND, _PREFIX = "~", "*"
_SHORTEST_KEY = 3  # a shorter phonetic key names too many words
_SHORTEST_PREFIX = 3
_SHORTEST_TYPO = 5


@dataclass(frozen=True, slots=True)
class Word:
    """A normalised word of a message; clauses end at any punctuation mark, sentences not at a comma."""

    text: str
    clause: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Heard:
    """A concept at the words `start` to `end` (exclusive)."""

    concept: str
    start: int
    end: int

    def within(self, other: "Heard") -> bool:
        """Tell whether `other` covers this and more."""
        longer = other.end - other.start > self.end - self.start
        return longer and other.start <= self.start and self.end <= other.end


def words_of(text: str) -> tuple[Word, ...]:
    """Return the message's words, folded, lower case, without apostrophes (can't → cant)."""
    normal = _STRETCHED.sub(r"\1\1", _APOSTROPHE.sub("", fold(latin_digits(text)).lower()))
    words: list[Word] = []
    clause = sentence = 0
    for piece in _WORD_OR_BREAK.findall(normal):
        if piece[0].isalnum():
            words.append(Word(piece, clause, sentence))
            continue
        clause += 1
        sentence += piece in _SENTENCE_ENDS
    return tuple(words)


class Lexicon:
    """Concepts by the words that name them.

    An entry is `word`, `several words`, `begin*` (any ending) or `~word` (anything that sounds like it, in
    either script); entries of a concept are separated by commas. A misspelt longer English word is
    recognised when it is one slip away and no English word itself. What a masking concept covers is heard
    as that alone: "killing me" as a figure of speech hides the killing.
    """

    def __init__(self, concepts: Mapping[str, str], *, masking: Collection[str] = ()) -> None:
        self._masking = frozenset(masking)
        self._phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for concept, entries in concepts.items():
            for phrase in _phrases(entries):
                self._phrases.setdefault(phrase[0], []).append((phrase, concept))
        self._targets = _typo_targets(self._phrases)
        self._spellings = _slips_of(self._targets)

    def hear(self, words: Sequence[Word]) -> tuple[Heard, ...]:
        """Return the concepts in order of their first words."""
        forms = [self._forms(word.text) for word in words]
        found = {heard for start in range(len(words)) for heard in self._starting(forms, start)}
        masks = [heard for heard in found if heard.concept in self._masking]
        kept = [heard for heard in found if not any(heard.within(mask) for mask in masks)]
        return tuple(sorted(kept, key=lambda heard: (heard.start, heard.end, heard.concept)))

    def _starting(self, forms: Sequence[Collection[str]], start: int) -> Iterator[Heard]:
        for form in forms[start]:
            for phrase, concept in self._phrases.get(form, ()):
                end = start + len(phrase)
                if end <= len(forms) and _fits(phrase, forms[start:end]):
                    yield Heard(concept, start, end)

    def _forms(self, word: str) -> frozenset[str]:
        """Return every way in which an entry may name this word."""
        prefixes = {word[:size] + _PREFIX for size in range(_SHORTEST_PREFIX, len(word) + 1)}
        meant = set() if is_devanagari(word) else self._meant(word)
        return frozenset({word, *prefixes, *_sounds(word), *meant})

    def _meant(self, word: str) -> set[str]:
        if len(word) < _SHORTEST_TYPO or word in self._targets or _is_english(word):
            return set()
        candidates = (self._spellings.get(slip, set()) for slip in _slips(word))
        return {target for group in candidates for target in group if target[0] == word[0]}


def load_toml(path: Path) -> dict[str, object]:
    """Return the parsed data file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _phrases(entries: str) -> Iterator[tuple[str, ...]]:
    for entry in entries.split(","):
        phrase = entry.strip()
        by_sound = phrase.startswith(_BY_SOUND)
        parts = [fold(part).lower() for part in phrase.lstrip(_BY_SOUND).split()]
        if parts:
            yield tuple(_sound_of(part) if by_sound else part for part in parts)


def _sound_of(part: str) -> str:
    """Return the phonetic form of an entry's word; a short one is taken as it is written."""
    name = phonetic.key(part)
    return _BY_SOUND + name if len(name) >= _SHORTEST_KEY else part


@lru_cache(maxsize=4096)
def _sounds(word: str) -> frozenset[str]:
    if not is_devanagari(word) and _is_english(word):
        return frozenset()
    name = phonetic.key(word)
    return frozenset({_BY_SOUND + name} if len(name) >= _SHORTEST_KEY else ())


def _fits(phrase: Sequence[str], forms: Sequence[Collection[str]]) -> bool:
    return all(part in form for part, form in zip(phrase, forms, strict=True))


def _is_english(word: str) -> bool:
    return word in wordlists.english()


def _typo_targets(starts: Mapping[str, Iterable[tuple[tuple[str, ...], str]]]) -> set[str]:
    parts = {part for phrases in starts.values() for phrase, _ in phrases for part in phrase}
    return {part for part in parts if part.isascii() and part.isalpha() and len(part) >= _SHORTEST_TYPO}


def _slips_of(targets: Iterable[str]) -> dict[str, set[str]]:
    spellings: dict[str, set[str]] = {}
    for target in targets:
        for slip in _slips(target):
            spellings.setdefault(slip, set()).add(target)
    return spellings


@lru_cache(maxsize=4096)  # people's own words pass here: it must not grow with them
def _slips(word: str) -> frozenset[str]:
    """Return the word and the word less any one letter: words one slip apart share one of these."""
    return frozenset({word, *(word[:place] + word[place + 1 :] for place in range(len(word)))})
