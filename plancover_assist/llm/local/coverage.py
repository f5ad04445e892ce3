"""Which share of the question's words a piece holds, each word weighted by how few pieces hold it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from plancover_assist.llm.local.units import Unit
from plancover_assist.llm.local.wording import Wordings
from plancover_assist.text.tokens import tokenise

# Words that ask, and name no subject.
_ASKING = frozenset(tokenise("how much many long"))


class Coverage:
    """Shares from 0 to 1. A piece is held against the question as its own language would word it."""

    def __init__(self, question: Wordings, pieces: Sequence[Unit]) -> None:
        self._tokens = {id(piece): set(tokenise(piece.text)) for piece in pieces}
        self._headings = {
            piece.source.number: set(tokenise(f"{piece.source.title} {piece.source.heading}"))
            for piece in pieces
        }
        self._frequency = Counter(word for words in self._tokens.values() for word in words)
        self._total = len(pieces)
        self._asked = {lang: self._weights(tokenise(text)) for lang, text in question.words.items()}

    def own(self, piece: Unit) -> float:
        return self._share(piece.lang, self._tokens[id(piece)])

    def heading(self, piece: Unit) -> float:
        return self._share(piece.lang, self._headings[piece.source.number])

    def _share(self, lang: str, held: set[str]) -> float:
        weights = self._asked[lang]
        covered = sum(weight for word, weight in weights.items() if word in held)
        return covered / (sum(weights.values()) or 1.0)

    def _weights(self, words: Iterable[str]) -> dict[str, float]:
        return {
            word: log(1 + self._total / (1 + self._frequency[word]))
            for word in dict.fromkeys(words)
            if word not in _ASKING
        }
