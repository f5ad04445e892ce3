"""Which paper rules when several speak of the same thing, and what need not be shown twice.

Chunks that hold the same content words of the question are about the same thing; among them the member's
own paper stands before a public one, a paper of higher rank before a lower, the newer before the older.
What is no longer in force never gets here: the query leaves it out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from plancover_assist.identity.context import PUBLIC
from retrieval.candidates import Content, Ranked

# From the policy's own order: an endorsement changes the schedule, the schedule prevails over the wording,
# and what explains the cover cannot change it. Guides and general answers have no rank.
RANKS = {
    "endorsement": 6,
    "schedule": 5,
    "wording": 4,
    "cis": 3,
    "note": 2,
    "summary": 2,
    "handbook": 1,
}
# How much of the best chunk's share of content words a chunk needs to be about the same thing.
SAME_SUBJECT = 0.7
# How far a ruling paper may lie below the best chunk of its own language; two that answer equally well
# lie within this, one that only mentions the subject does not.
MARGIN = 0.04
# How far below the best of all. Another language costs about 0.1 in cosine, coverage and features together;
# a question about terms of cover reaches that far, others may want an explanation in their own language.
TERMS_MARGIN = 0.13
# What a tenant's own paper gains before the comparison. A term of cover stands nowhere else; for other
# questions it only settles a tie.
OWN_PAPER_FOR_TERMS, OWN_PAPER = 0.02, 0.005
NEAR_DUPLICATE = 0.85  # share of distinct tokens two chunks have in common


def order(ranked: Sequence[Ranked], *, wants_terms: bool) -> list[Ranked]:
    """Return the chunks with the ruling ones first, in the order of their authority; the rest by score."""
    if not ranked:
        return []
    ranked = _with_own_papers_raised(ranked, OWN_PAPER_FOR_TERMS if wants_terms else OWN_PAPER)
    near = [item for item in ranked if item.score >= ranked[0].score - _reach(wants_terms)]
    best_of_language: dict[str, float] = {}
    for item in near:
        best_of_language.setdefault(item.content.lang, item.score)
    needed = SAME_SUBJECT * max(item.found for item in near)
    ruling = [
        item
        for item in near
        if rank_of(item.content)
        and item.found >= needed > 0
        and item.score >= best_of_language[item.content.lang] - MARGIN
    ]
    rest = [item for item in ranked if item not in ruling]
    return sorted(ruling, key=_authority) + rest


def _with_own_papers_raised(ranked: Sequence[Ranked], by: float) -> list[Ranked]:
    raised = [
        item if item.content.owner == PUBLIC else replace(item, score=item.score + by) for item in ranked
    ]
    return sorted(raised, key=lambda item: (-item.score, item.content.chunk_id))


def _reach(wants_terms: bool) -> float:
    return TERMS_MARGIN if wants_terms else MARGIN


def rank_of(content: Content) -> int:
    """Return the rank of a tenant's paper; a public paper rules over nobody's policy."""
    return 0 if content.owner == PUBLIC else RANKS.get(content.doc_type, 0)


def _authority(item: Ranked) -> tuple[int, int, float]:
    newer_first = -item.content.effective_from.toordinal()
    return (-rank_of(item.content), newer_first, -item.score)


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
