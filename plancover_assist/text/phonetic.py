"""One key for a Hindi word, whether it is written in Devanagari or typed in Latin letters.

People romanise by ear: खर्चा becomes kharcha, kharchaa or khrcha. The key keeps what spellings agree on.
It is a lossy name of a sound, never shown to anyone; both sides must pass through the same function.
"""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from plancover_assist.text.devanagari import is_devanagari

_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसह",
        "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l l v sh sh s h".split(),
        strict=True,
    )
)
_VOWELS = dict(zip("अआइईउऊऋएऐओऔऑऍ", "a aa i ee u oo ri e ai o au o e".split(), strict=True))
_SIGNS = dict(zip("ािीुूृेैोौॉॅ", "aa i ee u oo ri e ai o au o e".split(), strict=True))
_OPENERS = "aeiouA"  # what a vowel's Latin spelling begins with
_VIRAMA = "\u094d"
_NASAL_SIGNS = "\u0901\u0902"
_GYA = ("ज्ञ", "ग्य")  # written j + n, spoken g + y
_NUKTA = "\u093c"
# Letters whose sound the nukta changes; with other letters it is ignored.
_WITH_NUKTA = {"क": "q", "ज": "z", "फ": "f"}
_SCHWA = "A"  # the vowel a consonant carries unwritten; whether it is spoken depends on its neighbours

# Applied in this order. Each line joins spellings that people who type by ear do not keep apart.
_SPELLING = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("[^a-z]+", ""),
        ("x|ksh", "ks"),
        ("c*chh?(?:ch?h?)*", "ch"),
        ("sh", "s"),
        ("ph", "f"),
        ("jh|z", "j"),
        ("w", "v"),
        ("c(?!h)|q", "k"),
        ("m(?=[pb])", "n"),
        ("ee", "i"),
        ("oo", "u"),
        (r"(.)\1+", r"\1"),
        ("(?<=[aeiou])y(?=[aeiou])|(?<=u)v(?=[aeiou])", ""),
    )
)
# What is left is cut down to the sounds that survive hasty typing: no inner a, no final nasal.
_SOUND = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("a[iy]|e[iy]", "e"),
        ("a[uv](?![aeiou])|ou", "o"),
        ("(?<=[aeiou])n$", ""),
        ("(?<=.)a(?=.)", ""),
        (r"(.)\1+", r"\1"),
    )
)
_VOWELS_AND_BREATH = re.compile("[aeiou]|(?<=[kgcjtdpbs])h")
_CACHED_WORDS = 20_000


def romanise(word: str) -> str:
    """Return a Devanagari word in plain Latin letters, the way it is usually typed."""
    word = word.replace(*_GYA)
    sounds: list[str] = []
    for position, char in enumerate(word):
        if char in _CONSONANTS:
            sounds += _consonant(char, word[position + 1 : position + 2], word[position + 2 : position + 3])
        elif char in _NASAL_SIGNS:
            sounds.append("n")
        elif vowel := _VOWELS.get(char) or _SIGNS.get(char):
            sounds.append(vowel)
    return "".join(_spoken(sounds))


def _consonant(char: str, following: str, after: str) -> list[str]:
    sound = _CONSONANTS[char]
    if following == _NUKTA:
        sound, following = _WITH_NUKTA.get(char, sound), after
    return [sound] if following in _SIGNS or following == _VIRAMA else [sound, _SCHWA]


def _spoken(sounds: list[str]) -> list[str]:
    """Drop the schwas that are not pronounced: the last one, and those between two open syllables.

    From right to left, as the language does it: समझना is samajhna, not samjhana.
    """
    if len(sounds) > 2 and sounds[-1] == _SCHWA:
        sounds.pop()
    for position in range(len(sounds) - 3, 1, -1):
        before, at, after, beyond = (
            sounds[position - 2],
            sounds[position],
            *sounds[position + 1 : position + 3],
        )
        if at == _SCHWA and before[0] in _OPENERS and after[0] not in _OPENERS and beyond[0] in _OPENERS:
            del sounds[position]
    return ["a" if sound == _SCHWA else sound for sound in sounds]


@lru_cache(maxsize=_CACHED_WORDS)
def spelling(word: str) -> str:
    """Return a word of either script in one plain spelling; it keeps all vowels, so it suits comparing."""
    return _rewrite(romanise(word) if is_devanagari(word) else word.lower(), _SPELLING)


@lru_cache(maxsize=_CACHED_WORDS)
def key(word: str) -> str:
    """Return the phonetic key of a word in either script; empty when it holds no letters."""
    return _rewrite(spelling(word), _SOUND)


def skeleton(phonetic_key: str) -> str:
    """Return the consonants of a key, without vowels and aspirates: what shorthand such as `kr` keeps."""
    return _VOWELS_AND_BREATH.sub("", phonetic_key)


def likeness(one: str, other: str) -> float:
    """Return how alike two words are when spoken, 0 to 1; the scripts may differ."""
    return SequenceMatcher(None, spelling(one), spelling(other), autojunk=False).ratio()


def _rewrite(latin: str, rules: tuple[tuple["re.Pattern[str]", str], ...]) -> str:
    for pattern, replacement in rules:
        latin = pattern.sub(replacement, latin)
    return latin
