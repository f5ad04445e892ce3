"""Literal checks of an answer against the sources it cites: code, no model.

A sentence's numbers must stand in one of the sources it cites, and a cited number must be one that was
offered. A failed check is reported beside the answer; it never changes what the member was shown.
"""

import re
from collections.abc import Iterator, Mapping

from chat.turn.events import CitationCheck
from plancover_assist.text.numbers import numbers_in
from plancover_assist.text.sentences import split_sentences

NOT_OFFERED = "not_offered"
NUMBER_NOT_IN_SOURCE = "number_not_in_source"

MARKER_PATTERN = r"\[(\d{1,2})\]"  # how an answer names its source
_MARKER = re.compile(MARKER_PATTERN)
_LEADING_MARKERS = re.compile(r"^\s*(?:\[\d{1,2}\]\s*)+")


def cited_numbers(text: str) -> tuple[int, ...]:
    """Return the source numbers that `text` cites, ascending, each once."""
    return tuple(sorted({int(number) for number in _MARKER.findall(text)}))


def check_citations(answer: str, sources: Mapping[int, str]) -> tuple[CitationCheck, ...]:
    """Return one check for every source that every sentence cites, in the answer's order."""
    return tuple(
        _check(claim, number, sources) for claim in _claims(answer) for number in cited_numbers(claim)
    )


def _claims(answer: str) -> Iterator[str]:
    """Yield the sentences; a marker set after the full stop belongs to the sentence before it."""
    claim = ""
    for span in split_sentences(answer):
        sentence = answer[span.start : span.end]
        late = _LEADING_MARKERS.match(sentence) if claim else None
        if claim:
            yield f"{claim} {late[0].strip()}" if late else claim
        claim = sentence[late.end() :] if late else sentence
    if claim:
        yield claim


def _check(claim: str, number: int, sources: Mapping[int, str]) -> CitationCheck:
    if number not in sources:
        return CitationCheck(n=number, claim=claim, supported=False, problem=NOT_OFFERED)
    cited = " ".join(sources.get(n, "") for n in cited_numbers(claim))
    missing = set(numbers_in(_MARKER.sub(" ", claim))) - set(numbers_in(cited))
    problem = NUMBER_NOT_IN_SOURCE if missing else ""
    return CitationCheck(n=number, claim=claim, supported=not missing, problem=problem)
