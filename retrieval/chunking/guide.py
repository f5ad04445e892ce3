"""Guides, checklists, cards and everything else that is written under headings: a passage is a section."""

from collections.abc import Iterable, Iterator

from retrieval.chunking.blocks import Section
from retrieval.chunking.passage import Passage, passages


def cut(source: str, sections: Iterable[Section]) -> Iterator[Passage]:
    """Yield each section in order, long ones in parts of about equal reach for the encoder."""
    for section in sections:
        yield from passages(source, section)
