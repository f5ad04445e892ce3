"""Which paper rules when several speak of the same thing, and what need not be shown twice.

A paper of a higher rank outranks others on nearly equal relevance, the member's own paper a public one,
and the newer of two equals the older. What is no longer in force never gets here: the query leaves it out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from plancover_assist.identity.context import PUBLIC
from retrieval.candidates import Content, Ranked

# From the policy's own order: an endorsement changes the schedule, the schedule prevails over the wording.
RANKS = {
    "endorsement": 6,
    "schedule": 5,
    "wording": 4,
    "cis": 3,
    "note": 2,
    "summary": 2,
    "handbook": 1,
}
# One step moves a chunk past another that is nearly as relevant, and past nothing that is more so: fused
# scores of a question's first ten chunks lie 0.003 to 0.03 apart.
RANK_STEP = 0.002
OWN_PAPER = 0.006
NEAR_DUPLICATE = 0.85  # share of distinct tokens two chunks have in common


def order(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Return the chunks best first, their authority counted in."""
    weighed = [replace(item, score=item.score + weight(item.content)) for item in ranked]
    return sorted(weighed, key=_place)


def weight(content: Content) -> float:
    """Return what a chunk gains by the paper it stands in, 0 to 0.018."""
    own = OWN_PAPER if content.owner != PUBLIC else 0.0
    return own + RANK_STEP * RANKS.get(content.doc_type, 0)


def _place(item: Ranked) -> tuple[float, int, int, int]:
    content = item.content
    newer_first = -content.effective_from.toordinal()
    return (-round(item.score, 4), -RANKS.get(content.doc_type, 0), newer_first, content.chunk_id)


def without_overruled(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Drop tables that still list a clause which an endorsement among the evidence has changed.

    The changed clause itself is out of force and was never found; a table of all benefits stays in force
    and keeps the old figure in one of its rows.
    """
    amended = {target for item in ranked for target in item.content.amends}
    return [item for item in ranked if not _lists_any(item.content, amended)]


def _lists_any(content: Content, amended: Iterable[str]) -> bool:
    clauses = [target.split()[1] for target in amended if target.split()[0] == content.doc_id]
    return any(re.search(rf"\|\s*{re.escape(clause)}\s*\|", content.text) for clause in clauses)


def without_near_duplicates(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Keep the best of each group of chunks that say nearly the same words."""
    kept: list[tuple[Ranked, frozenset[str]]] = []
    for item in ranked:
        tokens = frozenset(item.content.tokens.split())
        if all(_overlap(tokens, other) < NEAR_DUPLICATE for _, other in kept):
            kept.append((item, tokens))
    return [item for item, _ in kept]


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one | other) or 1)
