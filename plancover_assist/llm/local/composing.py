"""Chooses what to quote and writes it with its citation; every word but the frame is the source's own."""

from collections.abc import Sequence

from plancover_assist.llm.local.frames import frame, quoting
from plancover_assist.llm.local.reader import Prompt
from plancover_assist.llm.local.scoring import Scored
from plancover_assist.llm.local.units import Shape, Unit
from plancover_assist.text.numbers import numbers_in
from plancover_assist.text.tokens import tokenise

MAX_SENTENCES = 3  # of the best source; members read on phones, and the source is one tap away
MAX_ITEMS = 10  # of a list that is quoted whole
CARRIES_ON = 0.14  # how far below the best piece its following sentences may lie
SECOND_SOURCE = 0.035  # how far below the best piece another source's may lie
SAME_CONTENT = 0.5  # share of common words above which a second piece adds nothing


def compose(prompt: Prompt, best: Scored, scored: Sequence[Scored]) -> str:
    """Return the answer in Markdown; `best` is one of `scored`, which are in reading order."""
    if best.unit.shape is Shape.ITEM:
        return _whole_list(prompt, best.unit, scored)
    paragraphs = [_passage(best, scored), *_seconds(prompt, best, scored)]
    return "\n\n".join(_paragraph(prompt, units) for units in paragraphs)


def _paragraph(prompt: Prompt, units: Sequence[Unit]) -> str:
    first = units[0]
    lead = quoting(prompt.lang, first.lang)
    return frame([unit.text for unit in units], first.source.number, lead=lead)


def _passage(best: Scored, scored: Sequence[Scored]) -> list[Unit]:
    """The best piece with the sentences of its paragraph that lead to it and those that carry on from it."""
    if best.unit.shape is Shape.ROW:
        return [best.unit]
    near = {c.unit.place: c.unit for c in scored if _goes_with(c, best)}
    first = last = best.unit.place
    while first - 1 in near and near[first - 1].block == best.unit.block and last - first + 1 < MAX_SENTENCES:
        first -= 1
    while last + 1 in near and last - first + 1 < MAX_SENTENCES:
        last += 1
    return [near[place] for place in range(first, last + 1)]


def _goes_with(candidate: Scored, best: Scored) -> bool:
    unit, first = candidate.unit, best.unit
    same_text = unit.source.number == first.source.number and unit.shape is first.shape
    return same_text and candidate.score >= best.score - CARRIES_ON


def _seconds(prompt: Prompt, best: Scored, scored: Sequence[Scored]) -> list[list[Unit]]:
    """One more paper's sentence where it answers nearly as well, adds something and contradicts nothing."""
    for candidate in sorted(scored, key=lambda c: -c.score):
        if candidate.score < best.score - SECOND_SOURCE:
            break
        if _adds(candidate.unit, best.unit, prompt.lang):
            return [[candidate.unit]]
    return []


def _adds(unit: Unit, first: Unit, asked_in: str) -> bool:
    if unit.source.title == first.source.title or unit.shape is not Shape.SENTENCE:
        return False
    if unit.lang != asked_in:
        return False  # one foreign quotation is enough
    if unit.lang == first.lang and _overlap(unit.text, first.text) >= SAME_CONTENT:
        return False
    return not _other_figure(unit, first)


def _other_figure(unit: Unit, first: Unit) -> bool:
    """A lower-placed source with other figures than the ruling one is left to its own citation."""
    figures = numbers_in(unit.text)
    return bool(figures) and not figures <= numbers_in(first.text)


def _overlap(left: str, right: str) -> float:
    a, b = set(tokenise(left)), set(tokenise(right))
    return len(a & b) / max(1, min(len(a), len(b)))


def _whole_list(prompt: Prompt, item: Unit, scored: Sequence[Scored]) -> str:
    """A list is quoted whole with the sentence that introduces it, never one item torn out."""
    source = [c.unit for c in scored if c.unit.source.number == item.source.number]
    items = [u.text for u in source if u.block == item.block and u.shape is Shape.ITEM][:MAX_ITEMS]
    intro = [u.text for u in source if u.block in (item.block, item.block - 1) and u.shape is Shape.SENTENCE]
    lead = quoting(prompt.lang, item.lang)
    opening = frame(intro[-1:] or [item.source.heading], item.source.number, lead=lead)
    return opening + "\n\n" + "\n".join(f"- {text}" for text in items)
