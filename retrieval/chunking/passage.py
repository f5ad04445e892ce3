"""The passage: text with its heading path and its place in the source file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from retrieval.chunking.blocks import Block, Section
from retrieval.chunking.packing import MAX_TOKENS, pack
from retrieval.errors import NotStorable

# As long as the chunk's columns.
MAX_HEADING_CHARS = 500
MAX_CLAUSE_CHARS = 32


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk before it is stored. `start:end` spans it in the source, counted in characters.

    Raises `NotStorable` for a heading path over 500 characters or a clause number over 32.
    """

    text: str
    start: int
    end: int
    path: tuple[str, ...]
    clause: str = ""

    def __post_init__(self) -> None:
        if len(self.heading) > MAX_HEADING_CHARS:
            raise NotStorable(
                f"the headings above character {self.start} exceed {MAX_HEADING_CHARS} characters"
            )
        if len(self.clause) > MAX_CLAUSE_CHARS:
            raise NotStorable(
                f"the clause number above character {self.start} exceeds {MAX_CLAUSE_CHARS} digits"
            )

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
