"""From the two legs' scores to one ranking. Pure arithmetic, two named strategies.

`absolute` adds the share of the question found by keyword to the cosine: both on a scale that means the
same for every question, so that the gate can read it. `rrf` looks at ranks alone and is the fallback where
scores cannot be compared. docs/adr/0003-fusion.md holds the measurements behind both.
"""

from collections.abc import Callable, Mapping, Sequence

from plancover_assist.errors import Misconfigured
from retrieval.candidates import Fused, Scored

# Of 0.03 to 0.25 tried. The weight belongs to e5's squeezed cosines, which differ by about 0.05 in a top 50.
COVERAGE_WEIGHT = 0.10
RRF_K = 60  # Cormack, Clarke and Buettcher (2009); the usual constant
RRF_KEYWORD_WEIGHT = 0.5  # equal weights fall below the better leg on half of the sets
RRF_MIN_COVERAGE = 0.3  # below it the keyword leg is guessing, mostly across languages

Strategy = Callable[[Sequence[Scored]], list[Fused]]


def absolute(candidates: Sequence[Scored]) -> list[Fused]:
    """Score = cosine + 0.10 x coverage, best first; a missing score counts as 0.

    With no cosine at all (keywords only) the coverage alone is the score.
    """
    with_cosine = any(c.cosine is not None for c in candidates)
    weight = COVERAGE_WEIGHT if with_cosine else 1.0
    return _ordered([Fused(c, (c.cosine or 0.0) + weight * (c.coverage or 0.0)) for c in candidates])


def rrf(candidates: Sequence[Scored]) -> list[Fused]:
    """Reciprocal ranks, 1 / (60 + rank), vectors whole and keywords at half.

    Keywords are left out where even their best coverage is under 0.3 and vectors are there.
    """
    by_cosine = _ranks({c.chunk_id: c.cosine for c in candidates})
    by_coverage = _ranks({c.chunk_id: c.coverage for c in candidates})
    best = max((c.coverage or 0.0 for c in candidates), default=0.0)
    weight = RRF_KEYWORD_WEIGHT if best >= RRF_MIN_COVERAGE or not by_cosine else 0.0
    return _ordered(
        [Fused(c, _reciprocal(by_cosine, c) + weight * _reciprocal(by_coverage, c)) for c in candidates]
    )


def _ranks(scores: Mapping[int, float | None]) -> dict[int, int]:
    """Rank from 1; a chunk that a leg gives nothing to has no rank in it."""
    found = sorted(((score, -at) for at, score in scores.items() if score), reverse=True)
    return {-at: rank for rank, (_, at) in enumerate(found, start=1)}


def _reciprocal(ranks: Mapping[int, int], candidate: Scored) -> float:
    rank = ranks.get(candidate.chunk_id)
    return 0.0 if rank is None else 1 / (RRF_K + rank)


def _ordered(fused: list[Fused]) -> list[Fused]:
    """Best first; equal scores in the order of ids, so that the same question gives the same order."""
    return sorted(fused, key=lambda item: (-item.score, item.scored.chunk_id))


STRATEGIES: Mapping[str, Strategy] = {"absolute": absolute, "rrf": rrf}


def strategy(name: str) -> Strategy:
    """Return the strategy of that name; raises `Misconfigured` for an unknown one."""
    try:
        return STRATEGIES[name]
    except KeyError:
        known = ", ".join(sorted(STRATEGIES))
        raise Misconfigured(f"FUSION is {name!r}; it must be one of {known}.") from None
