"""Reads a prompt the way any model must: the fenced sources and the fenced question, nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from plancover_assist.fencing import QUESTION_TAG, SOURCE_TAG, Fenced, parse_fences
from plancover_assist.llm.types import Message


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered source; `number` is what a citation marker names, `rank` its place from 0."""

    number: int
    rank: int
    title: str
    heading: str
    kind: str
    lang: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    question: str
    lang: str  # en, hi or hinglish
    sources: tuple[Source, ...]


def read(messages: Sequence[Message]) -> Prompt:
    """Return the last user message's question and sources, in the order they stand there."""
    user = next((m.content for m in reversed(messages) if m.role == "user"), "")
    fences = parse_fences(user)
    question = next((f for f in reversed(fences) if f.tag == QUESTION_TAG), Fenced(QUESTION_TAG, ""))
    fenced_sources = [f for f in fences if f.tag == SOURCE_TAG]
    sources = tuple(_source(rank, fenced) for rank, fenced in enumerate(fenced_sources))
    return Prompt(question.text, question.attributes.get("lang", "en"), sources)


def _source(rank: int, fenced: Fenced) -> Source:
    attributes = fenced.attributes
    return Source(
        number=int(attributes.get("n", "0")),
        rank=rank,
        title=attributes.get("title", ""),
        heading=attributes.get("heading", "").rpartition(" > ")[2],
        kind=attributes.get("type", ""),
        lang=attributes.get("lang", "en"),
        text=fenced.text,
    )
