"""Whether the best evidence is near enough to the question to be answered from.

Pure arithmetic on the scores of a search. The score of a chunk is its cosine, a tenth of its coverage and a
tenth of its share of the question's content words in any form; the best chunk's score meets one threshold
an encoder and language. The share counts a word and its translation alike, which plain coverage cannot, so
that Hindi questions over English papers are judged on nearly the scale of English ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.candidates import Ranked
from retrieval.types import GateDecision, Verdict

COVERAGE_WEIGHT = 0.10
FOUND_WEIGHT = 0.10


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a score must reach: `same` for English questions, `crossing` for Hindi and Hinglish ones, most
    of whose sources are English."""

    same: float
    crossing: float


# By encoder, without its builder's version. Set on retrieval/tests/data/gate_questions.jsonl over the demo
# corpus and on a public set of answerable and off-topic questions: at least 97 in 100 answerable ones pass
# either. docs/adr/0003-fusion.md holds the counts.
THRESHOLDS = {
    "e5-small-q4-int8": Thresholds(same=0.905, crossing=0.903),
    "e5-small-q4": Thresholds(same=0.905, crossing=0.903),
}
# An encoder not measured yet is trusted like the one it replaces.
DEFAULT_THRESHOLDS = THRESHOLDS["e5-small-q4-int8"]
# Without an encoder only words are left: coverage and share, each 0 to 1, at the same tenth.
KEYWORD_ONLY_THRESHOLD = 0.08
# A cross-encoder's scores are probabilities of their own; to be set when one is configured.
CROSS_ENCODER_THRESHOLD = 0.5


def gate_score(item: Ranked) -> float:
    """Return cosine + 0.10 x coverage + 0.10 x found; a part that could not be had counts as 0."""
    scored = item.scored
    return (scored.cosine or 0.0) + COVERAGE_WEIGHT * (scored.coverage or 0.0) + FOUND_WEIGHT * item.found


def decide(
    ranked: Sequence[Ranked], *, model_id: str, lang: str, cross_encoder: float | None = None
) -> GateDecision:
    """Judge a search by its best chunk.

    Args:
        ranked: the shortlist; an empty one gives `no_results`.
        model_id: the encoder behind the cosines.
        lang: the question's language: en, hi or hinglish.
        cross_encoder: its score of the best chunk; present, it alone decides.
    """
    if not ranked:
        return GateDecision(Verdict.NO_RESULTS, None, "fused", None)
    if cross_encoder is not None:
        return _decision(cross_encoder, CROSS_ENCODER_THRESHOLD, "cross_encoder")
    best = max(gate_score(item) for item in ranked)
    return _decision(best, _threshold(ranked, model_id, lang), "fused")


def _threshold(ranked: Sequence[Ranked], model_id: str, lang: str) -> float:
    if all(item.scored.cosine is None for item in ranked):
        return KEYWORD_ONLY_THRESHOLD
    encoder = model_id.partition("@")[0]
    limits = THRESHOLDS.get(encoder, DEFAULT_THRESHOLDS)
    return limits.same if lang == "en" else limits.crossing


def _decision(score: float, threshold: float, kind: str) -> GateDecision:
    verdict = Verdict.PASSED if score >= threshold else Verdict.LOW_CONFIDENCE
    return GateDecision(verdict, round(score, 4), kind, round(threshold, 4))
