"""The values that travel through a search: hits of a leg, scored chunks, and chunks with their text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from retrieval.types import Evidence


@dataclass(frozen=True, slots=True)
class Hit:
    """One row of a leg. `score` is a cosine (vector leg) or a BM25 sum (keyword leg)."""

    chunk_id: int
    owner: str
    score: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk with both of its scores; None where a leg's score could not be had.

    `coverage` is BM25 over the sum of all idfs of the question: 0 to 1, and comparable between questions.
    """

    chunk_id: int
    lang: str
    cosine: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class Fused:
    """A scored chunk with its fused score; the order of a list of these is the ranking."""

    scored: Scored
    score: float


class Content(NamedTuple):
    """A chunk's words and papers. `tokens` and `heading_tokens` have a space on either side of each."""

    chunk_id: int
    doc_id: str
    title: str
    doc_type: str
    owner: str
    lang: str
    clause: str
    heading: str
    text: str
    effective_from: date
    version: str
    amends: Sequence[str]
    tokens: str
    heading_tokens: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk with its text and its final score; `found` is the idf share of the question's content words
    that it holds in any form, 0 to 1."""

    content: Content
    scored: Scored
    score: float
    found: float

    def as_evidence(self) -> Evidence:
        content = self.content
        return Evidence(
            chunk_id=content.chunk_id,
            doc_id=content.doc_id,
            title=content.title,
            doc_type=content.doc_type,
            owner=content.owner,
            lang=content.lang,
            clause=content.clause,
            heading=content.heading,
            text=content.text,
            effective_from=content.effective_from.isoformat(),
            version=content.version,
            score=round(self.score, 4),
        )
