"""What kind of answer a question asks for."""

import pytest

from plancover_assist.text.asking import holds_quantity, wants_figure, wants_terms


class TestWantsFigure:
    @pytest.mark.parametrize(
        "question", ["cataract limit", "how many days do I have", "kitna milega", "सीमा कितनी है", "kab tak"]
    )
    def test_hears_a_wish_for_a_quantity(self, question: str) -> None:
        assert wants_figure(question)

    def test_hears_none_in_a_wish_for_a_way(self) -> None:
        assert not wants_figure("who signs the claim form")


class TestWantsTerms:
    @pytest.mark.parametrize(
        "question", ["Is OPD covered?", "Do I have a top-up?", "mera cover kab shuru hoga"]
    )
    def test_hears_a_question_about_ones_own_cover(self, question: str) -> None:
        assert wants_terms(question)

    @pytest.mark.parametrize("question", ["what does co-pay mean", "floater ka matlab", "टीपीए कौन होता है"])
    def test_leaves_the_meaning_of_a_word_to_general_papers(self, question: str) -> None:
        assert not wants_terms(question)


class TestHoldsQuantity:
    @pytest.mark.parametrize("text", ["₹40,000 for each eye", "20 % is borne", "within 30 days", "15 दिन में"])
    def test_finds_money_shares_and_counts(self, text: str) -> None:
        assert holds_quantity(text)

    def test_takes_no_date_or_clause_for_one(self) -> None:
        assert not holds_quantity("clause 4.7 as issued on 1 April 2026")
