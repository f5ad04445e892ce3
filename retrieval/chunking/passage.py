"""The passage: text with its heading path and its place in the source file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from retrieval.chunking.blocks import Block, Section
from retrieval.chunking.packing import MAX_TOKENS, pack


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk before it is stored. `start:end` spans it in the source, counted in characters."""

    text: str
    start: int
    end: int
    path: tuple[str, ...]
    clause: str = ""

    @property
    def heading(self) -> str:
        return " > ".join(self.path)

    @property
    def indexed_text(self) -> str:
        """What is embedded and hashed: the heading path above the text."""
        return f"{self.heading}\n{self.text}" if self.path else self.text


def passage(section: Section, blocks: Iterable[Block], clause: str = "") -> Passage:
    """Join neighbouring blocks of a section into one passage."""
    group = list(blocks)
    text = "\n\n".join(block.text for block in group)
    return Passage(text, group[0].start, group[-1].end, section.path, clause)


def passages(source: str, section: Section, clause: str = "", budget: int = MAX_TOKENS) -> Iterator[Passage]:
    """Yield a section's passages, cut by size where it must be."""
    for group in pack(source, section.blocks, budget):
        yield passage(section, group, clause)
