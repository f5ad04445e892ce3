"""FAQs: a passage is a question with its whole answer, so that neither is found without the other."""

from collections.abc import Iterable, Iterator

from retrieval.chunking.blocks import Section
from retrieval.chunking.passage import Passage, passages

# A pair may be longer than the encoder reads: what matters most, the question, stands first.
_PAIR_TOKENS = 512


def cut(source: str, sections: Iterable[Section]) -> Iterator[Passage]:
    """Yield one passage per question; text that stands above the questions is cut by size."""
    for section in sections:
        yield from passages(source, section, budget=_PAIR_TOKENS)
