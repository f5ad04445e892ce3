"""Whether the best evidence is near enough to the question to be answered from.

Pure arithmetic on the scores of a search. The score is cosine + 0.20 x coverage of the top chunk: coverage
weighs double here, because it tells questions about other worlds apart better than it ranks.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.candidates import Scored
from retrieval.types import GateDecision, Verdict

COVERAGE_WEIGHT = 0.20
# Below this best coverage question and documents share no language, and the sum is a cosine alone.
CROSS_LANGUAGE_COVERAGE = 0.2


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What an encoder's scores must reach. `crossing` is a cosine less the mean cosine of the scope."""

    fused: float
    crossing: float


# By encoder, without the builder's version.
THRESHOLDS = {
    "e5-small-q4-int8": Thresholds(fused=0.90, crossing=0.05),
}
# Without an encoder only coverage is left; a cross-encoder's scores are probabilities of their own.
KEYWORD_ONLY_THRESHOLD = 0.35
CROSS_ENCODER_THRESHOLD = 0.5


def gate_score(scored: Scored) -> float:
    """Return cosine + 0.20 x coverage; the coverage alone where there is no cosine."""
    if scored.cosine is None:
        return scored.coverage or 0.0
    return scored.cosine + COVERAGE_WEIGHT * (scored.coverage or 0.0)


def decide(
    candidates: Iterable[Scored],
    *,
    model_id: str,
    mean_cosine: float | None,
    cross_encoder: float | None = None,
) -> GateDecision:
    """Judge a search by its best chunk.

    Args:
        candidates: the scored chunks; none at all gives `no_results`.
        model_id: the encoder behind the cosines.
        mean_cosine: cosine of the question with the centre of all visible vectors, where known.
        cross_encoder: its score of the best chunk; present, it alone decides.
    """
    scored = list(candidates)
    if not scored:
        return GateDecision(Verdict.NO_RESULTS, None, "fused", None)
    if cross_encoder is not None:
        return _decision(cross_encoder, CROSS_ENCODER_THRESHOLD, "cross_encoder")
    best = max(scored, key=gate_score)
    return _decision(gate_score(best), _threshold(scored, model_id, mean_cosine), "fused")


def _threshold(scored: list[Scored], model_id: str, mean_cosine: float | None) -> float:
    if all(item.cosine is None for item in scored):
        return KEYWORD_ONLY_THRESHOLD
    limits = THRESHOLDS.get(model_id.split("@")[0], THRESHOLDS["e5-small-q4-int8"])
    coverage = max(item.coverage or 0.0 for item in scored)
    if mean_cosine is not None and coverage < CROSS_LANGUAGE_COVERAGE:
        return mean_cosine + limits.crossing
    return limits.fused


def _decision(score: float, threshold: float, kind: str) -> GateDecision:
    verdict = Verdict.PASSED if score >= threshold else Verdict.LOW_CONFIDENCE
    return GateDecision(verdict, round(score, 4), kind, round(threshold, 4))
