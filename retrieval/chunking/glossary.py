"""Glossaries: a passage is a term with its explanation, headed by the term alone.

The groups that terms are sorted into are left out of the path: `Money > Co-pay` would make every term of
the group look alike to the encoder.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from retrieval.chunking.blocks import Section
from retrieval.chunking.passage import Passage, passages

_TERM_LEVEL = 3


def cut(source: str, sections: Iterable[Section]) -> Iterator[Passage]:
    """Yield one passage per term, and the introduction by size."""
    for section in sections:
        path = (section.path[0], section.title) if section.level >= _TERM_LEVEL else section.path
        yield from passages(source, replace(section, path=path))
