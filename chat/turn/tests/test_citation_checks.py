"""Literal checks of sentences against the sources they cite."""

import pytest

from chat.turn.citation_checks import (
    NOT_OFFERED,
    NUMBER_NOT_IN_SOURCE,
    check_citations,
    cited_numbers,
)

SOURCES = {1: "Cataract is covered up to ₹40,000 per eye.", 2: "The room limit is ₹5,000 a day."}


class TestCheckCitations:
    @pytest.mark.parametrize(
        "answer",
        [
            "The limit is ₹40,000. [1]",
            "The limit is ₹40,000 [1].",
            "सीमा ₹40,000 है। [1]",
            "The limit is 40,000 rupees [1].",
        ],
    )
    def test_supports_a_number_that_stands_in_the_source(self, answer: str) -> None:
        (check,) = check_citations(answer, SOURCES)
        assert (check.n, check.supported, check.problem) == (1, True, "")

    @pytest.mark.parametrize("answer", ["The limit is ₹45,000. [1]", "It is ₹40,000 for 2 nights [1]."])
    def test_flags_a_number_that_does_not(self, answer: str) -> None:
        (check,) = check_citations(answer, SOURCES)
        assert (check.supported, check.problem) == (False, NUMBER_NOT_IN_SOURCE)

    def test_flags_a_number_that_only_another_source_holds(self) -> None:
        (check,) = check_citations("The room limit is ₹5,000 [1].", SOURCES)
        assert not check.supported

    def test_looks_into_every_source_that_a_sentence_cites(self) -> None:
        checks = check_citations("₹40,000 for the eye, ₹5,000 for the room [1] [2].", SOURCES)
        assert [(check.n, check.supported) for check in checks] == [(1, True), (2, True)]

    def test_flags_a_marker_that_was_never_offered(self) -> None:
        (check,) = check_citations("It is covered [7].", SOURCES)
        assert check.problem == NOT_OFFERED

    def test_gives_a_late_marker_to_the_sentence_before_it(self) -> None:
        first, second = check_citations("The eye limit is ₹40,000. [1] The room is ₹5,000. [2]", SOURCES)
        assert (first.claim, second.claim) == ("The eye limit is ₹40,000. [1]", "The room is ₹5,000. [2]")
        assert first.supported
        assert second.supported

    def test_says_nothing_of_a_sentence_without_a_marker(self) -> None:
        assert check_citations("Please ask your HR team.", SOURCES) == ()


class TestCitedNumbers:
    def test_are_each_given_once_in_order(self) -> None:
        assert cited_numbers("b [2] a [1] b [2] not [x] [123]") == (1, 2)
