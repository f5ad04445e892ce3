"""A piece of a text that knows where it stands."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """`text` is `source[start:end]`, offsets in characters (code points), not bytes."""

    start: int
    end: int
    text: str
