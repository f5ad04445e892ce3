"""English words for Hindi ones, for the keyword leg over English documents.

A word is matched by its sound, so Devanagari and every romanisation hit the same entry. The keyword leg
gives glossed words half the weight of typed ones: they are hints, not translations to show.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from plancover_assist.text import phonetic
from plancover_assist.text.devanagari import fold
from plancover_assist.text.function_words import FUNCTION_WORDS

# Endings of verbs and cases as phonetic keys write them: -vaana, -unga, -enge, -ega, -kar, -ta, -on …
_ENDINGS = tuple(
    sorted(
        """vna vnge vao vado vaya vake vane vani unga ungi enge ega egi nge kr ke dia di do die lo gya
        gi ge ga iega iye ie io na ne ni ta te ti ya ye yi yo ao ae ai a e i o u en on""".split(),
        key=len,
    )
)
# Shorter roots sound like too many other words.
_SHORTEST_ROOT = 2
_SHORTEST_WORD_TO_CUT = 3
# Of several entries with one key those about as near as the nearest are taken, and none that is far off.
_NEAR, _LEAST_LIKENESS = 0.1, 0.5
_KNOWN_LIKENESS = 0.75
# Case markers and auxiliaries carry no topic, but sound like words that do (को, कौन).
_GRAMMAR = frozenset(
    "का की के को से में ने पर है हैं हूँ था थी थे हो तो भी ही कि जो सो हे इस उस ये यह वो वह न ना तू जी".split()
)


@dataclass(frozen=True, slots=True)
class _Entry:
    form: str
    english: tuple[str, ...]


def gloss(words: Iterable[str]) -> list[str]:
    """Return the English words for `words` in order, each once; words without an entry give nothing.

    Pass only words judged to be Hindi: English "do" and "me" sound like Hindi words as well.
    """
    return list(dict.fromkeys(english for word in words for english in _lookup(word)))


def is_known(word: str) -> bool:
    """Tell whether a word is an entry by sound and spelling, without cutting any ending.

    An English word that its own entry names (AYUSH) is not counted as Hindi.
    """
    entries = _entries().get(phonetic.key(word), ())
    return any(
        phonetic.likeness(word, entry.form) >= _KNOWN_LIKENESS and not _names(entry, word)
        for entry in entries
    )


def _names(entry: _Entry, word: str) -> bool:
    return word.lower() in (english.lower() for english in entry.english)


def _lookup(word: str) -> Iterable[str]:
    function_word = FUNCTION_WORDS.get(word.lower(), "")
    if function_word in _GRAMMAR or word in _GRAMMAR:
        return ()
    key = phonetic.key(function_word or word)
    found = _entries().get(key, ()) if function_word else _find(key)
    return _nearest(function_word or word, found)


def _find(key: str) -> tuple[_Entry, ...]:
    """Return the entries of a key, or of its root with as little as possible cut off."""
    if key in _entries():
        return _entries()[key]
    if len(key) < _SHORTEST_WORD_TO_CUT:
        return ()
    roots = [key.removesuffix(ending) for ending in _ENDINGS if key.endswith(ending)]
    candidates = [root for root in roots if len(root) >= _SHORTEST_ROOT]
    return next((found for root in candidates if (found := _entries().get(root) or _roots().get(root))), ())


def _nearest(word: str, entries: tuple[_Entry, ...]) -> list[str]:
    same = [english for entry in entries if fold(entry.form) == fold(word) for english in entry.english]
    if same:
        return same
    nearness = [(phonetic.likeness(word, entry.form), entry.english) for entry in entries]
    least = max([_LEAST_LIKENESS + _NEAR, *(near for near, _ in nearness)]) - _NEAR
    return [english for near, words in nearness if near >= least for english in words]


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, tuple[_Entry, ...]]:
    """Return the entries by phonetic key; a key may belong to several."""
    return _grouped((phonetic.key(entry.form), entry) for entry in _read())


@lru_cache(maxsize=1)
def _roots() -> Mapping[str, tuple[_Entry, ...]]:
    """Return the entries by their key without its last vowel: दिखा is found under the root of dikhao."""
    rooted = ((phonetic.key(entry.form).rstrip("aeiou"), entry) for entry in _read())
    return _grouped((root, entry) for root, entry in rooted if len(root) >= _SHORTEST_ROOT)


def _grouped(pairs: Iterable[tuple[str, _Entry]]) -> Mapping[str, tuple[_Entry, ...]]:
    groups: dict[str, tuple[_Entry, ...]] = {}
    for key, entry in pairs:
        groups[key] = (*groups.get(key, ()), entry)
    return groups


@lru_cache(maxsize=1)
def _read() -> tuple[_Entry, ...]:
    source = resources.files(__package__).joinpath("data/glossary.txt").read_text(encoding="utf-8")
    lines = [line.split("=") for line in source.splitlines() if line and not line.startswith("#")]
    return tuple(_Entry(form, tuple(english.split())) for forms, english in lines for form in forms.split())
