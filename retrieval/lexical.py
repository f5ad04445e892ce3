"""BM25 as one inner product: the weights of a chunk, the weights of a question, and its rarest words.

A chunk stores the saturated count of each lexeme at position crc32(lexeme) mod 2^22 of a sparse vector; a
question holds the idf there. No idf is stored with a chunk, so document frequencies may drift without
rewriting rows. Arithmetic and literals only; nothing here touches the database.

Formula: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
k1 and b at their usual values and without the constant factor k1 + 1, so that a score divided by the sum
of all idfs is the share of the question found, 0 to 1.
"""

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plancover_assist.text.tokens import tokenise

K1 = 1.2
B = 0.75
DIMENSIONS = 2**22  # KEYWORD_DIMENSIONS of the chunk's column
MAX_LEXEME_CHARS = 100  # longer ones are addresses and noise; a tsvector takes at most 2,046 bytes
MAX_CANDIDATE_WORDS = 8
# With few rows a wide net is cheap and exact; above this many visible chunks it needs to be wider still.
SMALL_CAP, LARGE_CAP, LARGE_SCOPE_CHUNKS = 1000, 3000, 20_000
_COMPANIONS = 6


def lexemes_of(text: str) -> list[str]:
    """Return the lexemes of a text in order, as both sides of the keyword leg use them."""
    return [lexeme for lexeme in tokenise(text) if len(lexeme) <= MAX_LEXEME_CHARS]


def position(lexeme: str) -> int:
    """Return the 0-based position of a lexeme in the sparse vectors."""
    return zlib.crc32(lexeme.encode()) % DIMENSIONS


def chunk_weights(lexemes: Sequence[str], avg_dl: float) -> dict[int, float]:
    """Return position -> tf / (tf + k1 (1 - b + b dl / avg_dl)), each below 1."""
    norm = K1 * (1 - B + B * len(lexemes) / avg_dl)
    weights: dict[int, float] = {}
    for lexeme, tf in Counter(lexemes).items():
        at = position(lexeme)
        weights[at] = weights.get(at, 0.0) + tf / (tf + norm)
    return weights


def inverse_document_frequency(n: int, df: int) -> float:
    """Return ln(1 + (N - df + 0.5) / (df + 0.5)); never negative, also for a word in every chunk."""
    return math.log(1 + (max(n - df, 0) + 0.5) / (df + 0.5))


@dataclass(frozen=True, slots=True)
class Term:
    """A lexeme of a question. `weight` is 1 for what was typed and less for what was guessed for it."""

    lexeme: str
    weight: float
    df: int
    idf: float


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """A question for the keyword leg. `total_idf` is what full coverage would score."""

    terms: tuple[Term, ...]
    total_idf: float
    cap: int

    @property
    def is_empty(self) -> bool:
        return not any(term.df for term in self.terms)

    @property
    def vector(self) -> str:
        """The question as a sparse vector literal."""
        weights: dict[int, float] = {}
        for term in self.terms:
            at = position(term.lexeme)
            weights[at] = max(weights.get(at, 0.0), term.weight * term.idf)
        return sparse_literal(weights)

    @property
    def candidates(self) -> str:
        """The tsquery literal that finds the chunks worth scoring."""
        known = sorted((t for t in self.terms if t.df), key=lambda term: (-term.idf, term.lexeme))
        if not known:
            return ""
        if known[0].df > self.cap and len(known) > 1:
            return _any(_both(known[0], other) for other in known[1 : 1 + _COMPANIONS])
        return _any(quote(term.lexeme) for term in _rarest(known, self.cap))


def build_query(
    words: Mapping[str, float], frequencies: Mapping[str, int], n_chunks: int, total_of: Iterable[str]
) -> KeywordQuery:
    """Return the keyword query for weighted lexemes.

    Args:
        words: lexeme -> weight.
        frequencies: lexeme -> df in the visible scope; a missing lexeme has df 0.
        n_chunks: chunks of the visible scope.
        total_of: the lexemes whose idf makes up full coverage, guesses for them left out.
    """
    terms = tuple(
        Term(lexeme, weight, df, inverse_document_frequency(n_chunks, df))
        for lexeme, weight in words.items()
        for df in [frequencies.get(lexeme, 0)]
    )
    total = sum(inverse_document_frequency(n_chunks, frequencies.get(word, 0)) for word in total_of)
    return KeywordQuery(terms, total, SMALL_CAP if n_chunks < LARGE_SCOPE_CHUNKS else LARGE_CAP)


def _rarest(known: Sequence[Term], cap: int) -> list[Term]:
    """The rarest words until their frequencies fill the cap; always one, at most eight."""
    chosen: list[Term] = []
    for term in known[:MAX_CANDIDATE_WORDS]:
        if chosen and sum(t.df for t in chosen) + term.df > cap:
            break
        chosen.append(term)
    return chosen


def _both(first: Term, second: Term) -> str:
    return f"({quote(first.lexeme)} & {quote(second.lexeme)})"


def _any(parts: Iterable[str]) -> str:
    return " | ".join(parts)


def quote(lexeme: str) -> str:
    """Return a lexeme as a tsvector and tsquery literal takes it, whatever it contains."""
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def tsvector_literal(lexemes: Iterable[str]) -> str:
    """Return the distinct lexemes as a tsvector literal without positions."""
    return " ".join(quote(lexeme) for lexeme in sorted(set(lexemes)))


def sparse_literal(weights: Mapping[int, float]) -> str:
    """Return a pgvector literal; its indices count from 1, ours from 0."""
    inner = ",".join(f"{at + 1}:{value:.6g}" for at, value in sorted(weights.items()))
    return f"{{{inner}}}/{DIMENSIONS}"
