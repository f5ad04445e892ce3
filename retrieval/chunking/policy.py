"""Policy papers: a passage is a clause, named by its number, and a clause is the unit people quote."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from retrieval.chunking.blocks import Section
from retrieval.chunking.passage import Passage, passages
from retrieval.errors import MissingClauseNumber

_NUMBERED = re.compile(r"(?P<clause>\d+(?:\.\d+)*)\.?\s+(?P<title>\S.*)")


def cut(source: str, sections: Iterable[Section]) -> Iterator[Passage]:
    """Yield one passage per clause, or several with the same number where a clause is long.

    Text above the first numbered heading belongs to no clause. Below it every heading needs a number;
    raises `MissingClauseNumber` otherwise, because such a clause could not be cited.
    """
    for section in sections:
        match = _NUMBERED.match(section.title)
        if match is None and section.level > 1:
            raise MissingClauseNumber(f"the heading at character {section.start} has no clause number")
        clause = match["clause"] if match else ""
        yield from passages(source, replace(section, path=_without_numbers(section.path)), clause)


def _without_numbers(path: tuple[str, ...]) -> tuple[str, ...]:
    """Numbers are kept in `clause`; in the path they would only be noise to the encoder."""
    return tuple(_NUMBERED.sub(lambda match: match["title"], step) for step in path)
