"""Chooses what to quote and writes it with its citation; every word but the frame is the source's own."""

from collections.abc import Sequence

from plancover_assist.llm.local.frames import frame
from plancover_assist.llm.local.reader import Prompt
from plancover_assist.llm.local.scoring import Scored
from plancover_assist.llm.local.units import Shape, Unit
from plancover_assist.text.numbers import numbers_in
from plancover_assist.text.tokens import tokenise

MAX_SENTENCES = 3  # members read on phones; the source is one tap away
MAX_ITEMS = 10  # of a list that is quoted whole
NEAR_BEST = 0.04  # how far below the best piece another may lie and still be worth quoting
SAME_CONTENT = 0.6  # share of common words above which a second piece adds nothing


def compose(prompt: Prompt, scored: Sequence[Scored]) -> str:
    """Return the answer in Markdown; `scored` holds at least one piece, in reading order."""
    best = max(scored, key=lambda candidate: candidate.score)
    if best.unit.shape is Shape.ITEM:
        return _whole_list(prompt, best.unit, scored)
    chosen = _choose(best, scored)
    return "\n\n".join(
        frame(prompt.lang, [piece.text for piece in group], group[0].lang, group[0].source.number)
        for group in _by_source(chosen)
    )


def _choose(best: Scored, scored: Sequence[Scored]) -> list[Unit]:
    """The best piece first, then its neighbours and near-equals that add something and contradict nothing."""
    chosen = [best.unit]
    for candidate in sorted(scored, key=lambda c: -c.score):
        if len(chosen) == MAX_SENTENCES or candidate.score < best.score - NEAR_BEST:
            break
        if _adds(candidate.unit, chosen):
            chosen.append(candidate.unit)
    return chosen


def _adds(unit: Unit, chosen: Sequence[Unit]) -> bool:
    first = chosen[0]
    if unit in chosen or unit.shape is Shape.ITEM:
        return False
    if unit.source.number != first.source.number and _other_figure(unit, first):
        return False
    return all(_overlap(unit.text, piece.text) < SAME_CONTENT for piece in chosen)


def _other_figure(unit: Unit, first: Unit) -> bool:
    """A lower-placed source with other figures than the ruling one is left to its own citation."""
    figures, ruling = set(numbers_in(unit.text)), set(numbers_in(first.text))
    return bool(figures and ruling and not figures & ruling)


def _overlap(left: str, right: str) -> float:
    a, b = set(tokenise(left)), set(tokenise(right))
    return len(a & b) / max(1, min(len(a), len(b)))


def _by_source(chosen: Sequence[Unit]) -> list[list[Unit]]:
    groups: dict[int, list[Unit]] = {}
    for unit in chosen:
        groups.setdefault(unit.source.number, []).append(unit)
    return list(groups.values())


def _whole_list(prompt: Prompt, item: Unit, scored: Sequence[Scored]) -> str:
    """A list is quoted whole with the sentence that introduces it, never one item torn out."""
    source = [c.unit for c in scored if c.unit.source.number == item.source.number]
    items = [u.text for u in source if u.block == item.block and u.shape is Shape.ITEM][:MAX_ITEMS]
    intro = [u.text for u in source if u.block in (item.block, item.block - 1) and u.shape is Shape.SENTENCE]
    lead = frame(prompt.lang, intro[-1:] or [item.source.heading], item.lang, item.source.number)
    return lead + "\n\n" + "\n".join(f"- {text}" for text in items)
