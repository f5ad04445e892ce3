"""How well each quotable piece answers the question: meaning, shared words, and what is asked for.

The weights are on the cosine scale of e5 (a spread of about 0.05 between the best and the tenth piece).
Without an embedder the shared words alone decide.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from plancover_assist.embedding.embedder import Embedder
from plancover_assist.llm.local.reader import Prompt
from plancover_assist.llm.local.units import Shape, Unit
from plancover_assist.text.glossary import gloss
from plancover_assist.text.hinglish import restore
from plancover_assist.text.tokens import tokenise

COVERAGE_WEIGHT = 0.10  # shared words, as in the fusion of retrieval
HEADING_WEIGHT = 0.03  # shared words with the heading the piece stands under
RANK_STEP = 0.012  # each place further down the evidence; retrieval has put the ruling paper first
SAME_LANGUAGE = 0.015  # a source in the member's own language, all else equal
WANTED_FIGURE = 0.03  # the question asks how much, how many or how long, and the piece holds a figure
ROW_PENALTY = 0.01  # a sentence reads better than a table row that says the same

_ASKS_FIGURE = re.compile(
    r"\b(how (?:much|many|long|soon|old)|what is the (?:limit|amount|time)|limit|amount|within|deadline|"
    r"kitn[aei]|kitne|kab tak)\b|कितन|सीमा|कब तक",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A piece and its score; about 0.75 to 1.1 with an embedder, 0 to 0.2 without."""

    unit: Unit
    score: float


def score(prompt: Prompt, pieces: Sequence[Unit], embedder: Embedder | None) -> list[Scored]:
    """Return every piece with its score, in the order given."""
    if not pieces:
        return []
    meaning = _meaning(prompt, pieces, embedder)
    words = _Coverage(prompt, pieces)
    wants_figure = bool(_ASKS_FIGURE.search(prompt.question))
    ranks = {source.number: rank for rank, source in enumerate(prompt.sources)}
    return [
        Scored(
            piece,
            meaning[i]
            + words.share(piece)
            - RANK_STEP * ranks[piece.source.number]
            + _fit(piece, prompt.lang, wants_figure),
        )
        for i, piece in enumerate(pieces)
    ]


def asks_for_figure(question: str) -> bool:
    return bool(_ASKS_FIGURE.search(question))


def _fit(piece: Unit, lang: str, wants_figure: bool) -> float:
    fit = SAME_LANGUAGE if piece.lang == lang else 0.0
    if wants_figure and any(character.isdigit() for character in piece.text):
        fit += WANTED_FIGURE
    return fit - (ROW_PENALTY if piece.shape is Shape.ROW else 0.0)


def _meaning(prompt: Prompt, pieces: Sequence[Unit], embedder: Embedder | None) -> list[float]:
    if embedder is None:
        return [0.0] * len(pieces)
    question = embedder.embed_query(_restored(prompt))
    passages = embedder.embed_passages([_in_context(piece) for piece in pieces])
    return [float(value) for value in np.asarray(passages) @ question]


def _in_context(piece: Unit) -> str:
    heading = piece.source.heading
    return f"{heading}: {piece.text}" if heading else piece.text


def _restored(prompt: Prompt) -> str:
    if prompt.lang != "hinglish":
        return prompt.question
    vocabulary = {word for source in prompt.sources for word in tokenise(source.text)}
    return restore(prompt.question, vocabulary).text


class _Coverage:
    """Shared words, each weighted by how few of the pieces hold it; Hindi words are glossed."""

    def __init__(self, prompt: Prompt, pieces: Sequence[Unit]) -> None:
        self._words = {id(piece): set(tokenise(piece.text)) for piece in pieces}
        frequency = Counter(word for words in self._words.values() for word in words)
        total = len(pieces)
        asked = set(tokenise(prompt.question))
        if prompt.lang != "en":
            asked |= {token for word in gloss(prompt.question.split()) for token in tokenise(word)}
        self._weights = {word: log(1 + total / (1 + frequency[word])) for word in asked}
        self._all = sum(self._weights.values()) or 1.0

    def share(self, piece: Unit) -> float:
        """Return this piece's share of the question's words, own text and heading weighed apart."""
        own = self._covered(self._words[id(piece)])
        heading = self._covered(set(tokenise(f"{piece.source.title} {piece.source.heading}")))
        return COVERAGE_WEIGHT * own + HEADING_WEIGHT * heading

    def _covered(self, words: set[str]) -> float:
        return sum(weight for word, weight in self._weights.items() if word in words) / self._all
