"""Cuts a source into the pieces that can be quoted: sentences, list items and table rows.

A table row is written out as one line with its column names, so that a figure never stands without the
thing it belongs to. Nothing is re-worded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from plancover_assist.llm.local.reader import Source
from plancover_assist.text.language import detect
from plancover_assist.text.tokens import split_sentences


class Shape(Enum):
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable piece: `block` is its paragraph, list or table, `place` its place in the source."""

    source: Source
    text: str
    lang: str
    shape: Shape
    block: int
    place: int


_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_BARE_REPLY = 2  # words: "Yes." or "Not always." answers the source's own question, not the member's
_EMPHASIS = re.compile(r"(\*\*|__|`)")


def units(source: Source) -> list[Unit]:
    """Return the source's quotable pieces in reading order; headings are not among them."""
    blocks = enumerate(re.split(r"\n\s*\n", source.text))
    pieces = [
        (number, shape, text)
        for number, block in blocks
        for shape, text in _pieces(block)
        if len(text.split()) > _BARE_REPLY
    ]
    return [
        Unit(source, text, str(detect(text)), shape, number, place)
        for place, (number, shape, text) in enumerate(pieces)
    ]


def _pieces(block: str) -> Iterator[tuple[Shape, str]]:
    lines = [line for line in block.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if lines and lines[0].lstrip().startswith("|"):
        return ((Shape.ROW, row) for row in _rows(lines))
    return _prose(lines)


def _prose(lines: list[str]) -> Iterator[tuple[Shape, str]]:
    for shape, text in _joined(lines):
        if shape is Shape.ITEM:
            yield shape, text
        else:
            yield from ((shape, _clean(text[span.start : span.end])) for span in split_sentences(text))


def _joined(lines: list[str]) -> Iterator[tuple[Shape, str]]:
    """Join wrapped lines: a list item with its continuation, and running text into one paragraph."""
    shape, parts = Shape.SENTENCE, list[str]()
    for line in lines:
        if _ITEM.match(line):
            if parts:
                yield shape, _clean(" ".join(parts))
            shape, parts = Shape.ITEM, [_ITEM.sub("", line)]
        else:
            parts.append(line)
    if parts:
        yield shape, _clean(" ".join(parts))


def _rows(lines: list[str]) -> Iterator[str]:
    header, *body = [_cells(line) for line in lines if not _RULE.match(line)]
    for cells in body:
        subject, *rest = cells
        pairs = zip(header[1:], rest, strict=False)
        yield f"{subject}: " + "; ".join(f"{name}: {cell}" for name, cell in pairs if cell and cell != "-")


def _cells(line: str) -> list[str]:
    return [_clean(cell) for cell in line.strip().strip("|").split("|")]


def _clean(text: str) -> str:
    return " ".join(_EMPHASIS.sub("", text).split())
