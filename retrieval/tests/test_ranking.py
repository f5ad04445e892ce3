"""Fusion, languages, features, authority and gate: arithmetic on small made-up scores."""

from datetime import date
from typing import Any

import numpy as np
import pytest

from plancover_assist.errors import Misconfigured
from retrieval import authority, features, fusion, gate, languages
from retrieval.candidates import Content, Fused, Ranked, Scored
from retrieval.features import QuestionWord
from retrieval.types import Verdict

CONTENT = Content(
    chunk_id=1,
    doc_id="A-SCHED",
    title="Schedule",
    doc_type="schedule",
    owner="ten_a",
    lang="en",
    clause="4.6",
    heading="Limits > Joint replacement",
    text="The limit is ₹2,00,000.",
    effective_from=date(2026, 4, 1),
    version="1.0",
    amends=(),
    tokens=" limit joint replac knee implant ",
    heading_tokens=" limit joint replac ",
)


def scored(chunk_id: int, cosine: float | None, coverage: float | None, lang: str = "en") -> Scored:
    return Scored(chunk_id, lang, cosine, coverage)


def ranked(chunk_id: int, score: float, *, found: float = 1.0, **content: Any) -> Ranked:
    tokens = f" word{chunk_id} other{chunk_id} third{chunk_id} "
    values = {"chunk_id": chunk_id, "tokens": tokens, **content}
    return Ranked(CONTENT._replace(**values), scored(chunk_id, score, 0.0), score, found)


def order_of(items: list[Ranked]) -> list[int]:
    return [item.content.chunk_id for item in items]


class TestAbsoluteFusion:
    def test_adds_a_tenth_of_the_coverage_to_the_cosine(self) -> None:
        fused = fusion.absolute([scored(1, 0.80, 0.5), scored(2, 0.84, 0.0)])
        assert [(f.scored.chunk_id, round(f.score, 3)) for f in fused] == [(1, 0.85), (2, 0.84)]

    def test_ranks_by_coverage_where_no_cosine_could_be_had(self) -> None:
        fused = fusion.absolute([scored(1, None, 0.2), scored(2, None, 0.6)])
        assert [(f.scored.chunk_id, f.score) for f in fused] == [(2, 0.6), (1, 0.2)]

    def test_breaks_ties_by_id(self) -> None:
        fused = fusion.absolute([scored(9, 0.8, 0.1), scored(3, 0.8, 0.1)])
        assert [f.scored.chunk_id for f in fused] == [3, 9]


class TestReciprocalRanks:
    def test_counts_keywords_at_half(self) -> None:
        fused = fusion.rrf([scored(1, 0.9, 0.1), scored(2, 0.8, 0.5)])
        assert fused[0].score == pytest.approx(1 / 61 + 0.5 / 62)
        assert fused[1].score == pytest.approx(1 / 62 + 0.5 / 61)

    def test_leaves_keywords_out_when_they_only_guess(self) -> None:
        fused = fusion.rrf([scored(1, 0.9, 0.0), scored(2, 0.8, 0.29)])
        assert [f.score for f in fused] == pytest.approx([1 / 61, 1 / 62])

    def test_uses_keywords_alone_when_there_are_no_vectors(self) -> None:
        assert fusion.rrf([scored(1, None, 0.1), scored(2, None, 0.2)])[0].scored.chunk_id == 2


class TestStrategy:
    def test_is_found_by_name(self) -> None:
        assert fusion.strategy("rrf") is fusion.rrf

    def test_refuses_an_unknown_name(self) -> None:
        with pytest.raises(Misconfigured, match="absolute, rrf"):
            fusion.strategy("borda")


class TestLanguages:
    CENTRES = {"en": np.array([1.0, 0.0], np.float32), "hi": np.array([0.0, 1.0], np.float32)}
    QUESTION = np.array([0.6, 0.8], np.float32)

    def test_lift_the_farther_language_by_what_the_nearer_is_ahead(self) -> None:
        assert languages.offsets(self.QUESTION, self.CENTRES) == pytest.approx({"en": 0.2, "hi": 0.0})

    def test_let_an_english_chunk_pass_a_hindi_one_that_fits_less(self) -> None:
        lifted = languages.level(
            [scored(1, 0.85, 0, "hi"), scored(2, 0.70, 0, "en")],
            languages.offsets(self.QUESTION, self.CENTRES),
        )
        assert [item.cosine for item in lifted] == pytest.approx([0.85, 0.90])

    def test_change_nothing_without_vectors(self) -> None:
        assert (
            languages.level([scored(1, None, 0.3)], languages.offsets(None, self.CENTRES))[0].cosine is None
        )


class TestFeatures:
    WORDS = (QuestionWord("joint", 3.0), QuestionWord("replac", 2.0), QuestionWord("घुटन", 5.0, ("knee",)))

    def test_share_counts_a_translation_like_the_word(self) -> None:
        assert features.idf_share(self.WORDS, CONTENT.tokens) == 1.0
        assert features.idf_share(self.WORDS, CONTENT.heading_tokens) == 0.5

    def test_pairs_must_stand_side_by_side_and_in_order(self) -> None:
        assert features.pair_share(self.WORDS, CONTENT.tokens) == 0.5
        assert features.pair_share(self.WORDS, " replac joint ") == 0.0

    def test_add_up_to_their_weights(self) -> None:
        assert features.bonus(CONTENT, self.WORDS) == pytest.approx(0.02 + 0.03 * 0.5 + 0.02 * 0.5)

    def test_reorder_what_fusion_left_close(self) -> None:
        other = CONTENT._replace(chunk_id=2, tokens=" nothing ", heading_tokens=" nothing ")
        fused = [Fused(scored(2, 0.9, 0), 0.90), Fused(scored(1, 0.88, 0), 0.88)]
        assert order_of(features.rank(fused, [other, CONTENT], self.WORDS)) == [1, 2]


class TestAuthority:
    def test_puts_the_endorsement_before_the_schedule_of_nearly_equal_score(self) -> None:
        schedule, endorsement = ranked(1, 0.99), ranked(2, 0.97, doc_type="endorsement")
        assert order_of(authority.order([schedule, endorsement], wants_terms=True)) == [2, 1]

    def test_leaves_behind_an_endorsement_that_only_mentions_the_subject(self) -> None:
        schedule, endorsement = ranked(1, 1.0), ranked(2, 0.90, doc_type="endorsement")
        assert order_of(authority.order([schedule, endorsement], wants_terms=True)) == [1, 2]

    def test_puts_the_members_english_policy_before_a_public_hindi_answer_to_a_figure(self) -> None:
        public = ranked(1, 0.92, owner="public", doc_type="faq", lang="hi")
        policy = ranked(2, 0.84)
        assert order_of(authority.order([public, policy], wants_terms=True)) == [2, 1]
        assert order_of(authority.order([public, policy], wants_terms=False)) == [1, 2]

    def test_gives_a_public_paper_no_rank(self) -> None:
        public = ranked(1, 0.92, owner="public", doc_type="endorsement")
        note = ranked(2, 0.91, doc_type="note")
        assert order_of(authority.order([public, note], wants_terms=False)) == [2, 1]

    def test_leaves_behind_a_paper_about_something_else(self) -> None:
        public, policy = ranked(1, 0.92, owner="public"), ranked(2, 0.91, found=0.3)
        assert order_of(authority.order([public, policy], wants_terms=False)) == [1, 2]

    def test_prefers_the_newer_of_two_equals(self) -> None:
        old, new = ranked(1, 0.92), ranked(2, 0.91, effective_from=date(2026, 9, 1))
        assert order_of(authority.order([old, new], wants_terms=False)) == [2, 1]

    def test_drops_a_table_that_lists_an_amended_clause(self) -> None:
        table = ranked(1, 0.9, text="| Cataract | ₹35,000 per eye | 4.7 |")
        endorsement = ranked(2, 0.9, doc_type="endorsement", doc_id="A-END-07", amends=("A-SCHED 4.7",))
        assert order_of(authority.without_overruled([endorsement, table])) == [2]
        assert order_of(authority.without_overruled([table])) == [1]

    def test_shows_nearly_the_same_words_once(self) -> None:
        words = " ".join(f"w{n}" for n in range(40))
        first, copy = ranked(1, 0.9, tokens=f" {words} ten "), ranked(2, 0.8, tokens=f" {words} fifteen ")
        assert order_of(authority.without_near_duplicates([first, copy, ranked(3, 0.7)])) == [1, 3]


class TestGate:
    MODEL = "e5-small-q4-int8@1"

    def decide(self, *items: Ranked, lang: str = "en") -> Verdict:
        return gate.decide(items, model_id=self.MODEL, lang=lang).verdict

    def test_adds_a_tenth_of_coverage_and_of_found_words(self) -> None:
        item = Ranked(CONTENT, scored(1, 0.8, 0.5), 0.0, 0.6)
        assert gate.gate_score(item) == pytest.approx(0.8 + 0.05 + 0.06)

    def test_judges_by_the_best_chunk_wherever_it_stands(self) -> None:
        assert self.decide(ranked(1, 0.7, found=0), ranked(2, 0.85)) is Verdict.PASSED

    def test_holds_back_what_is_only_near(self) -> None:
        assert self.decide(ranked(1, 0.85, found=0.2)) is Verdict.LOW_CONFIDENCE

    def test_asks_a_little_less_across_languages(self) -> None:
        item = ranked(1, 0.804)
        assert self.decide(item) is Verdict.LOW_CONFIDENCE
        assert self.decide(item, lang="hi") is Verdict.PASSED

    def test_says_no_results_for_nothing(self) -> None:
        assert self.decide() is Verdict.NO_RESULTS

    def test_judges_words_alone_without_an_encoder(self) -> None:
        items = [Ranked(CONTENT, scored(1, None, 0.5), 0.0, 0.8)]
        decision = gate.decide(items, model_id="", lang="en")
        assert (decision.verdict, decision.threshold) == (Verdict.PASSED, gate.KEYWORD_ONLY_THRESHOLD)

    def test_lets_a_cross_encoder_decide_alone(self) -> None:
        decision = gate.decide([ranked(1, 0.99)], model_id=self.MODEL, lang="en", cross_encoder=0.2)
        assert (decision.verdict, decision.score_kind) == (Verdict.LOW_CONFIDENCE, "cross_encoder")
