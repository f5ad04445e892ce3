"""How well each quotable piece answers the question: meaning, shared words, and what is asked for.

The weights are on the cosine scale of e5 (a spread of about 0.05 between the best and the tenth piece).
Without an embedder the shared words alone decide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plancover_assist.embedding.embedder import Embedder
from plancover_assist.llm.local.coverage import Coverage
from plancover_assist.llm.local.names import bears, names_asked
from plancover_assist.llm.local.reader import Prompt
from plancover_assist.llm.local.units import Shape, Unit
from plancover_assist.llm.local.vectors import similarities
from plancover_assist.llm.local.wording import wordings
from plancover_assist.text.asking import holds_quantity, wants_figure, wants_terms

COVERAGE_WEIGHT = 0.10  # shared words, as in the fusion of retrieval
HEADING_WEIGHT = 0.04  # shared words with the title and heading the piece stands under
RANK_STEP = 0.012  # each place further down the evidence; retrieval has put the ruling paper first
LEAD = 0.02  # the first sentence of a clause states its rule
ANSWERING = 0.03  # and that of an FAQ entry or a glossary term is written as the answer
OWN_LANGUAGE = 0.01  # the member's own language, all else equal
POLICY_PAPER = 0.09  # terms of cover are asked for, and the piece stands in a policy paper
QUANTITY = 0.045  # a figure is asked for, and the piece states one
NAMED = 0.025  # for a piece with the name that the question asks about; taken off one without it
EXAMPLE = 0.03  # taken off an illustration
FRAGMENT = 0.01  # taken off a table row or list item: a sentence that says the same reads better

SHORTLIST = 24  # pieces that get a vector; the rest share too few words and stand too far down
ALWAYS = 2  # first pieces of each source that get one in any case

POLICY_PAPERS = frozenset({"endorsement", "schedule", "wording", "cis", "summary", "note"})
ANSWERS = frozenset({"faq", "glossary"})
_EXAMPLE = re.compile(r"\b(?:for example|for instance|suppose|e\.g\.)|उदाहरण|मान लीजिए", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scored:
    """A piece, how much it says about the question, and what it is worth for where it stands.

    `relevance` is about 0.75 to 1.05 with an embedder, 0 to 0.2 without; `score` orders the pieces.
    """

    unit: Unit
    relevance: float
    standing: float

    @property
    def score(self) -> float:
        return self.relevance + self.standing


def score(prompt: Prompt, pieces: Sequence[Unit], embedder: Embedder | None) -> list[Scored]:
    """Return the pieces worth weighing with their scores, in reading order."""
    question = wordings(prompt)
    words = Coverage(question, pieces)
    names = names_asked(prompt)
    short = _shortlist([_by_words(prompt, words, piece, names) for piece in pieces])
    meaning = similarities(question, [candidate.unit for candidate in short], embedder)
    return [
        replace(candidate, relevance=candidate.relevance + likeness)
        for candidate, likeness in zip(short, meaning, strict=True)
    ]


def _by_words(prompt: Prompt, words: Coverage, piece: Unit, names: frozenset[str]) -> Scored:
    shared = COVERAGE_WEIGHT * words.own(piece) + HEADING_WEIGHT * words.heading(piece)
    own_language = OWN_LANGUAGE if piece.lang == prompt.lang else 0.0
    named = NAMED * bears(piece, names)
    return Scored(piece, shared + own_language + named, _standing(piece, prompt.question))


def _standing(piece: Unit, question: str) -> float:
    """What a piece is worth for where it stands and what it holds, whatever it means."""
    value = -RANK_STEP * piece.source.rank
    value += _lead(piece)
    value -= FRAGMENT if piece.shape is not Shape.SENTENCE else 0.0
    value -= EXAMPLE if _EXAMPLE.search(piece.text) else 0.0
    value += POLICY_PAPER if piece.source.kind in POLICY_PAPERS and wants_terms(question) else 0.0
    return value + (QUANTITY if wants_figure(question) and holds_quantity(piece.text) else 0.0)


def _lead(piece: Unit) -> float:
    if piece.place:
        return 0.0
    return ANSWERING if piece.source.kind in ANSWERS else LEAD


def _shortlist(rated: Sequence[Scored]) -> list[Scored]:
    best = sorted(rated, key=lambda candidate: -candidate.score)[:SHORTLIST]
    chosen = {id(candidate) for candidate in best}
    return [c for c in rated if id(c) in chosen or c.unit.place < ALWAYS]
