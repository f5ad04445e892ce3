"""Headings, paragraphs and tables of a Markdown body, each with its offsets in the file.

Only what the corpus format allows is understood: ATX headings, paragraphs, lists (as paragraphs) and pipe
tables. Offsets count characters (code points) of the source, so they hold for Devanagari as for Latin.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.errors import BadTable

# Format characters that change nothing a reader sees: zero-width, soft hyphen, and direction controls.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*?)\s*#*\s*\Z")
_DIVIDER = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*\Z")


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a table; `text` is clean and unwrapped, `start:end` is its place in the source."""

    text: str
    start: int
    end: int
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the blocks directly below it. `path` holds all headings down to this one."""

    level: int
    path: tuple[str, ...]
    start: int
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        return self.path[-1] if self.path else ""


def clean(text: str) -> str:
    """Drop invisible characters. Visible text keeps its order, so a slice stays findable."""
    return _INVISIBLE.sub("", text)


def unwrap(text: str) -> str:
    """Return a paragraph as one line: invisible characters dropped, white space joined."""
    return " ".join(clean(text).split())


def parse_sections(source: str, start: int) -> list[Section]:
    """Cut `source[start:]` into sections in reading order; raises `BadTable` for a ragged table."""
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    level, opened, pending = 0, start, list[Line]()
    for line in _lines(source, start):
        heading = _HEADING.match(clean(line.text))
        if heading is None:
            pending.append(line)
            continue
        sections.append(_section(level, path, opened, pending))
        level, opened, pending = len(heading["marks"]), line.start, []
        path = [step for step in path if step[0] < level] + [(level, heading["title"])]
    sections.append(_section(level, path, opened, pending))
    return [section for section in sections if section.blocks]


def _section(level: int, path: list[tuple[int, str]], start: int, lines: list[Line]) -> Section:
    return Section(level, tuple(title for _, title in path), start, tuple(_blocks(lines)))


def _lines(source: str, start: int) -> Iterator[Line]:
    for match in re.compile(r"[^\n]*\n|[^\n]+\Z").finditer(source, start):
        yield Line(match[0].rstrip("\r\n"), match.start(), match.start() + len(match[0].rstrip("\r\n")))


def _blocks(lines: list[Line]) -> Iterator[Block]:
    group: list[Line] = []
    for line in [*lines, Line("", 0, 0)]:
        if group and (not clean(line.text).strip() or _is_row(line) != _is_row(group[0])):
            yield _block(group)
            group = []
        if clean(line.text).strip():
            group.append(line)


def _is_row(line: Line) -> bool:
    return clean(line.text).lstrip().startswith("|")


def _block(group: list[Line]) -> Block:
    start, end = group[0].start, group[-1].end
    if _is_row(group[0]):
        return Block(_table(group), start, end, is_table=True)
    return Block(unwrap(" ".join(line.text for line in group)), start, end)


def cells(row: str) -> list[str]:
    """Return the cells of one table row, trimmed."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def _table(group: list[Line]) -> str:
    rows = [unwrap(line.text) for line in group]
    if len(rows) < 3 or not _DIVIDER.match(rows[1]):
        raise BadTable(f"the table at character {group[0].start} lacks its heading line or its rows")
    width = len(cells(rows[0]))
    for line, row in zip(group, rows, strict=True):
        if len(cells(row)) != width:
            raise BadTable(f"the table row at character {line.start} does not have {width} cells")
    return "\n".join(rows)
