"""What a question looks like to the two legs: a text to embed, and weighted words to look up.

Romanised Hindi is put back into Devanagari for the vector leg; for the keyword leg the typed words stay,
Hindi ones gain their Devanagari spelling and, at half weight, their English meaning. No database here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import regex

from plancover_assist.text.devanagari import is_devanagari
from plancover_assist.text.function_words import SURE, WEAK
from plancover_assist.text.glossary import gloss
from plancover_assist.text.hinglish import restore
from plancover_assist.text.tokens import words_with_offsets
from retrieval import lexical
from retrieval.features import QuestionWord

# Words that ask for a quantity, a bound or a time, in the three ways members write.
_WANTS_FIGURE = regex.compile(
    r"\bhow (?:much|many|long|old|soon)\b|\b(?:limits?|maximum|minimum|amount|deadline|percent\w*|cap)\b|%"
    r"|कितन|सीमा|राशि|प्रतिशत|अधिकतम|कब तक|\bkitn[aeiy]\w*|\bkab tak\b|\bseema\b"
)
GLOSS_WEIGHT = 0.5  # a glossed word is a hint: at full weight it outvotes what was typed


@dataclass(frozen=True, slots=True)
class Question:
    """`vector_text` is what is embedded; `words` are the typed lexemes in order, each once, with the
    other forms (Devanagari, English) that count as the same word; `content` are those that say what the
    question is about; `wants_figure` tells a question for an amount, a limit or a time."""

    vector_text: str
    words: tuple[tuple[str, tuple[str, ...]], ...]
    weights: Mapping[str, float]
    content: frozenset[str]
    wants_figure: bool

    @property
    def lexemes(self) -> list[str]:
        """Every lexeme whose frequency matters, guesses included."""
        return list(self.weights)

    def keyword_query(self, frequencies: Mapping[str, int], n_chunks: int) -> lexical.KeywordQuery:
        typed = [lexeme for lexeme, _ in self.words]
        return lexical.build_query(self.weights, frequencies, n_chunks, typed)

    def question_words(self, query: lexical.KeywordQuery) -> list[QuestionWord]:
        idf = {term.lexeme: term.idf for term in query.terms}
        return [QuestionWord(lexeme, idf.get(lexeme, 0.0), others) for lexeme, others in self.words]


def analyse(text: str, vocabulary: frozenset[str]) -> Question:
    """Return the question as the legs take it; `vocabulary` holds the lexemes of the visible scope."""
    restored = restore(text, vocabulary)
    hindi = _hindi_words(text, restored.hindi_words)
    spelled = _spellings(text, restored.text) if restored.hindi_words else {}
    guesses = {word: (spelled.get(word, ()), _gloss(word)) for word in hindi}
    others = {_first(word): (*spelling, *english) for word, (spelling, english) in guesses.items()}
    typed = list(dict.fromkeys(lexical.lexemes_of(text)))
    weights = dict.fromkeys(typed, 1.0)
    for spelling, english in guesses.values():
        _add(weights, spelling, 1.0)
        _add(weights, english, GLOSS_WEIGHT)
    words = tuple((lexeme, others.get(lexeme, ())) for lexeme in typed)
    content = frozenset(lexeme for lexeme in typed if lexeme not in _function_lexemes())
    return Question(restored.text, words, weights, content, _WANTS_FIGURE.search(text.lower()) is not None)


@lru_cache(maxsize=1)
def _function_lexemes() -> frozenset[str]:
    """Hindi function words in both scripts, as lexemes. English ones never become lexemes."""
    tables = (SURE, WEAK)
    words = " ".join(word for table in tables for pair in table.items() for word in pair)
    return frozenset(lexical.lexemes_of(words.replace("_", " ")))


def _hindi_words(text: str, romanised: Iterable[str]) -> list[str]:
    written = [span.text for span in words_with_offsets(text) if is_devanagari(span.text)]
    return list(dict.fromkeys([*written, *romanised]))


def _spellings(text: str, restored: str) -> dict[str, tuple[str, ...]]:
    """Map each typed word to the lexeme it was restored to; both texts have the same words in order."""
    pairs = zip(words_with_offsets(text), words_with_offsets(restored), strict=False)
    return {
        typed.text.lower(): tuple(lexical.lexemes_of(now.text)[:1])
        for typed, now in pairs
        if typed.text != now.text
    }


def _gloss(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lexical.lexemes_of(" ".join(gloss([word])))))


def _first(word: str) -> str:
    return next(iter(lexical.lexemes_of(word)), word)


def _add(weights: dict[str, float], lexemes: Iterable[str], weight: float) -> None:
    for lexeme in lexemes:
        weights[lexeme] = max(weights.get(lexeme, 0.0), weight)
