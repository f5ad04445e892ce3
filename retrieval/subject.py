"""Whether the question's subject is in the sources at all: what tells a near-miss from an answer.

"Is pet insurance for my dog included" lies close to every chunk about inclusion, and no score shows that
no source knows dogs. So the words decide: one that stands in none of the evidence, sounds and looks like no
word of the visible documents, and belongs to another world than theirs. Pure; the last test is `worlds`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache

from plancover_assist.text import phonetic, wordlists
from plancover_assist.text.devanagari import is_devanagari
from retrieval.candidates import Ranked
from retrieval.features import QuestionWord

# Share of running English above which a word is too common to be a subject (got, live, simple).
COMMON_SHARE = 1e-4
# Below this share of the question's content the word is a detail, such as a name or a town.
SUBJECT_SHARE = 0.2
_CLOSE_SPELLING = 0.82  # difflib ratio that one typing slip in six letters still reaches
_CLOSE_SOUND = 0.7  # phonetic likeness of the same word in two scripts
_MIN_LETTERS = 3
_SHORTEST_STEM = 5


def missing_words(
    words: Iterable[QuestionWord], evidence: Sequence[Ranked], vocabulary: frozenset[str]
) -> list[QuestionWord]:
    """Return the content words that may be a subject the sources do not know, rarest first."""
    tokens = [item.content.tokens for item in evidence]
    missing = [
        word
        for word in words
        if _may_be_subject(word)
        and not any(word.is_in(text) for text in tokens)
        and not _is_known(word, vocabulary)
    ]
    return sorted(missing, key=lambda word: -word.idf)


def weighs_enough(missing: Iterable[QuestionWord], words: Iterable[QuestionWord]) -> bool:
    """Tell whether the missing words make up so much of the question that it is about them."""
    total = sum(word.idf for word in words if word.content)
    return total > 0 and sum(word.idf for word in missing) / total >= SUBJECT_SHARE


def _may_be_subject(word: QuestionWord) -> bool:
    letters_only = not any(char.isdigit() for char in word.typed)
    common = wordlists.english().get(word.typed.lower(), 0.0) >= COMMON_SHARE and not word.hindi
    return word.content and letters_only and len(word.typed) >= _MIN_LETTERS and not common


def _is_known(word: QuestionWord, vocabulary: frozenset[str]) -> bool:
    """Known in any form, in a near spelling, or by its sound."""
    if any(form in vocabulary for form in (word.lexeme, *word.others)):
        return True
    return _looks_like_any(word.lexeme, vocabulary) or _sounds_like_any(word.typed, vocabulary)


def _looks_like_any(lexeme: str, vocabulary: Collection[str]) -> bool:
    """A slip of the finger or another ending; people rarely mistype the first letter."""
    if any(_one_stem(lexeme, other) for other in vocabulary):
        return True
    alike = [other for other in vocabulary if other[0] == lexeme[0] and abs(len(other) - len(lexeme)) <= 2]
    return bool(get_close_matches(lexeme, alike, n=1, cutoff=_CLOSE_SPELLING))


def _one_stem(lexeme: str, other: str) -> bool:
    """ "delivered" and "delivery" are stemmed apart."""
    shorter, longer = sorted((lexeme, other), key=len)
    return len(shorter) >= _SHORTEST_STEM and longer.startswith(shorter)


def _sounds_like_any(typed: str, vocabulary: frozenset[str]) -> bool:
    """The same word in the other script: समरी is the summary that the documents know."""
    bones = phonetic.skeleton(phonetic.key(typed))
    alike = _by_skeleton(vocabulary).get(bones, ()) if len(bones) >= _MIN_LETTERS else ()
    return any(phonetic.likeness(typed, other) >= _CLOSE_SOUND for other in alike)


@lru_cache(maxsize=8)
def _by_skeleton(vocabulary: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Map the consonants of a sound to the documents' words that have them."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for word in vocabulary:
        if word.isalpha() or is_devanagari(word):
            groups[phonetic.skeleton(phonetic.key(word))].append(word)
    return {bones: tuple(words) for bones, words in groups.items()}
