"""The project's documents as text: what they name in code spans, tables and links."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import ROOT, relative, tree

README = ROOT / "README.md"
_SPAN = re.compile(r"`([^`\n]+)`")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def documents() -> Iterator[Path]:
    """Every Markdown document about the project; the corpus is knowledge, not documentation."""
    for path in tree():
        if path.suffix == ".md" and not relative(path).startswith("corpus/"):
            yield path


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code_spans(text: str) -> set[str]:
    """What stands between single backticks, outside fenced blocks."""
    return set(_SPAN.findall(_BLOCK.sub("", text)))


def shell_lines(text: str) -> list[str]:
    """The lines of fenced blocks and all code spans: everything that a reader may type."""
    blocks = [line.strip() for _, body in _BLOCK.findall(text) for line in body.splitlines()]
    return [*blocks, *sorted(code_spans(text))]


def section(text: str, heading: str) -> str:
    """The text under one heading, up to the next of the same level. Raises `KeyError` when there is none."""
    level = heading.split(" ", 1)[0]
    pattern = rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(level)}}} |\Z)"
    if found := re.search(pattern, text, re.DOTALL | re.MULTILINE):
        return found[1]
    raise KeyError(heading)


def rows(text: str) -> list[list[str]]:
    """The cells of all table rows of a text, heads and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rules = [index for index, row in enumerate(cells) if all(set(cell) <= set("-: ") for cell in row)]
    heads = {index - 1 for index in rules} | set(rules)
    return [row for index, row in enumerate(cells) if index not in heads]
