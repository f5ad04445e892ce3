"""What a question looks like to the two legs: a text to embed, and weighted words to look up.

Romanised Hindi is put back into Devanagari for the vector leg; for the keyword leg the typed words stay,
Hindi ones gain their Devanagari spelling and, at half weight, their English meaning. No database here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from plancover_assist.text.asking import wants_terms
from plancover_assist.text.devanagari import is_devanagari
from plancover_assist.text.function_words import SURE, WEAK
from plancover_assist.text.glossary import gloss
from plancover_assist.text.hinglish import restore
from plancover_assist.text.reading import read_in_english
from plancover_assist.text.tokens import words_with_offsets
from retrieval import lexical
from retrieval.features import QuestionWord

# An English reading joins the vector only when it knows most of the question: on general Hindi, of which
# the glossary knows a quarter, it costs 0.004 to 0.02 nDCG; from 0.75 on nothing, and Hinglish gains 0.01.
_LEAST_KNOWN = 0.75
GLOSS_WEIGHT = 0.5  # a glossed word is a hint: at full weight it outvotes what was typed


@dataclass(frozen=True, slots=True)
class Word:
    """A typed word. `others` are lexemes that count as the same word: its Devanagari spelling and its
    English meaning. Function words of Hindi are not `content`; those of English are no words here at all."""

    lexeme: str
    typed: str
    others: tuple[str, ...]
    content: bool
    hindi: bool


@dataclass(frozen=True, slots=True)
class Question:
    """`vector_text` is what is embedded, `words` the typed ones in order, each once, `weights` every lexeme
    to look up; `wants_terms` tells a question about the asker's own terms of cover. `english` is a Hindi
    question's reading in English, empty where too little of it could be read."""

    vector_text: str
    english: str
    words: tuple[Word, ...]
    weights: Mapping[str, float]
    wants_terms: bool

    @property
    def asks_nothing(self) -> bool:
        """Whether no word could be the subject of anything: figures, signs and function words alone."""
        return not any(word.content and any(c.isalpha() for c in word.typed) for word in self.words)

    def keyword_query(self, frequencies: Mapping[str, int], n_chunks: int) -> lexical.KeywordQuery:
        typed = [word.lexeme for word in self.words]
        return lexical.build_query(self.weights, frequencies, n_chunks, typed)

    def question_words(self, query: lexical.KeywordQuery) -> list[QuestionWord]:
        """Return the words with their idf, as the features and the checks weigh them."""
        idf = {term.lexeme: term.idf for term in query.terms}
        return [
            QuestionWord(w.lexeme, idf.get(w.lexeme, 0.0), w.others, w.typed, w.content, w.hindi)
            for w in self.words
        ]


def analyse(text: str, vocabulary: frozenset[str]) -> Question:
    """Return the question as the legs take it; `vocabulary` holds the lexemes of the visible scope."""
    restored = restore(text, vocabulary)
    spelled = _spellings(text, restored.text) if restored.hindi_words else {}
    hindi = {_first(word): word for word in _hindi_words(text, restored.hindi_words)}
    surface = {_first(span.text): span.text for span in reversed(words_with_offsets(text))}
    words: list[Word] = []
    weights: dict[str, float] = {}
    for lexeme in dict.fromkeys(lexical.lexemes_of(text)):
        spelling = spelled.get(lexeme, ())
        meaning = _gloss(hindi[lexeme]) if lexeme in hindi else ()
        content = lexeme not in _function_lexemes()
        typed = surface.get(lexeme, lexeme)
        words.append(Word(lexeme, typed, (*spelling, *meaning), content, lexeme in hindi))
        _add(weights, (lexeme, *spelling), 1.0)
        _add(weights, meaning, GLOSS_WEIGHT)
    english = _english(text, restored.hindi_words) if hindi else ""
    return Question(restored.text, english, tuple(words), weights, wants_terms(text))


def _english(text: str, romanised: tuple[str, ...]) -> str:
    reading = read_in_english(text, romanised)
    return reading.text if reading.known >= _LEAST_KNOWN else ""


# Quantity words of English, and its little words as people type them in a hurry.
_SAYS_NOTHING = (
    "much many long always never ever also even dont doesnt didnt cant couldnt wont wouldnt isnt arent"
    " wasnt hasnt havent shouldnt im ive whats hows thats hrs hr mins yrs pls plz please ppl thx"
    " tell know want need not no yes"
)


@lru_cache(maxsize=1)
def _function_lexemes() -> frozenset[str]:
    """Hindi function words in both scripts, as lexemes. Nearly all English ones never become lexemes."""
    tables = (SURE, WEAK)
    words = f"{_SAYS_NOTHING} " + " ".join(
        word for table in tables for pair in table.items() for word in pair
    )
    return frozenset(lexical.lexemes_of(words.replace("_", " ")))


def _hindi_words(text: str, romanised: Iterable[str]) -> list[str]:
    written = [span.text for span in words_with_offsets(text) if is_devanagari(span.text)]
    return list(dict.fromkeys([*written, *romanised]))


def _spellings(text: str, restored: str) -> dict[str, tuple[str, ...]]:
    """Map each typed lexeme to the one it was restored to, where both texts have as many words."""
    before, after = words_with_offsets(text), words_with_offsets(restored)
    if len(before) != len(after):
        return {}
    changed = [(typed.text, now.text) for typed, now in zip(before, after, strict=True)]
    return {_first(typed): tuple(lexical.lexemes_of(now)[:1]) for typed, now in changed if typed != now}


def _gloss(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lexical.lexemes_of(" ".join(gloss([word])))))


def _first(word: str) -> str:
    return next(iter(lexical.lexemes_of(word)), word)


def _add(weights: dict[str, float], lexemes: Iterable[str], weight: float) -> None:
    for lexeme in lexemes:
        weights[lexeme] = max(weights.get(lexeme, 0.0), weight)
