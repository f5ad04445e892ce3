"""Patterns over concepts: which ones, in what order, how close together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.turn.lexicon import Heard


@dataclass(frozen=True, slots=True)
class Pattern:
    """`parts` in order, each one concept or several alternatives, inside at most `within` words."""

    parts: tuple[frozenset[str], ...]
    within: int

    @classmethod
    def parse(cls, text: str, within: int = 1) -> "Pattern":
        """Read `pain|ache chest` as: pain or ache, then chest."""
        return cls(tuple(frozenset(part.split("|")) for part in text.split()), within)

    def matches(self, heard: Sequence[Heard]) -> Iterator[tuple[int, int]]:
        """Yield the word ranges (end exclusive) that fit; `heard` is ordered by start."""
        for place, first in enumerate(heard):
            if first.concept in self.parts[0]:
                limit = max(first.start + self.within, first.end)
                for end in self._ends(heard, place, 1, limit):
                    yield first.start, end

    def _ends(self, heard: Sequence[Heard], place: int, part: int, limit: int) -> Iterator[int]:
        """Yield where the parts from `part` on may end when the one before is `heard[place]`."""
        if part == len(self.parts):
            yield heard[place].end
            return
        for after in range(place + 1, len(heard)):
            if heard[after].start >= limit:
                return
            fits = heard[after].concept in self.parts[part] and heard[after].start >= heard[place].end
            if fits and heard[after].end <= limit:
                yield from self._ends(heard, after, part + 1, limit)
