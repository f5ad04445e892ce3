"""The hand-set order of the fused top 50: words, word pairs and headings of the question found in a chunk.

Weights are those of a logistic regression, rounded by hand; a learned ranker lost on sets it had not seen.
Works on tokens stored with the chunk, so nothing is tokenised here.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.candidates import Content, Fused, Ranked

WORDS_WEIGHT = 0.02  # idf share of the question's words found in the chunk
PAIRS_WEIGHT = 0.03  # share of adjacent word pairs found side by side and in order
HEADING_WEIGHT = 0.02  # idf share found in the title or the headings


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of the question, its idf, and other spellings or translations that count as the same.

    `content` words say what the question is about; `typed` is the word as it was written.
    """

    lexeme: str
    idf: float
    others: tuple[str, ...] = ()
    typed: str = ""
    content: bool = True
    hindi: bool = False

    def is_in(self, tokens: str) -> bool:
        return any(f" {form} " in tokens for form in (self.lexeme, *self.others))


def rank(fused: Sequence[Fused], contents: Iterable[Content], words: Sequence[QuestionWord]) -> list[Ranked]:
    """Add the features to the fused scores; best first, chunks without content left out."""
    by_id = {content.chunk_id: content for content in contents}
    present = [item for item in fused if item.scored.chunk_id in by_id]
    ranked = [_ranked(item, by_id[item.scored.chunk_id], words) for item in present]
    return sorted(ranked, key=lambda item: (-item.score, item.content.chunk_id))


def _ranked(fused: Fused, content: Content, words: Sequence[QuestionWord]) -> Ranked:
    found = idf_share([word for word in words if word.content], content.tokens)
    return Ranked(content, fused.scored, fused.score + bonus(content, words), found)


def bonus(content: Content, words: Sequence[QuestionWord]) -> float:
    """Return the features' sum for one chunk, 0 to 0.07."""
    return (
        WORDS_WEIGHT * idf_share(words, content.tokens)
        + PAIRS_WEIGHT * pair_share(words, content.tokens)
        + HEADING_WEIGHT * idf_share(words, content.heading_tokens)
    )


def idf_share(words: Sequence[QuestionWord], tokens: str) -> float:
    """Return how much of the question's idf is found in the tokens, 0 to 1."""
    total = sum(word.idf for word in words)
    return sum(word.idf for word in words if word.is_in(tokens)) / total if total else 0.0


def pair_share(words: Sequence[QuestionWord], tokens: str) -> float:
    """Return the share of the question's adjacent word pairs that stand side by side in the tokens."""
    pairs = list(itertools.pairwise(words))
    found = sum(f" {first.lexeme} {second.lexeme} " in tokens for first, second in pairs)
    return found / len(pairs) if pairs else 0.0
