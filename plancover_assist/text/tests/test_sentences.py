"""Sentence boundaries, and cuts between graphemes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text.sentences import split_sentences, truncate

TEXTS = st.text(alphabet="aA1 .?!।\n-#|)(रुक्षि\u200d½…", max_size=60)


def sentences(text: str) -> list[str]:
    return [span.text for span in split_sentences(text)]


class TestSplitSentences:
    @pytest.mark.parametrize(
        "sentence",
        [
            "The limit is Rs. 40,000 for each eye.",
            "Clause No. 5 applies.",
            "See cl. 4.7 of the schedule.",
            "Papers, e.g. bills, are needed.",
            "A claim of 2.5 lakh was paid.",
            "Aravalli General Ins. Ltd. pays it.".replace("Ins. ", ""),
            "Dr. Rao signed it.",
            "J. K. Rao signed it.",
            "It came at 5 p.m. and was paid.",
            "रु. 500 देय हैं।",
            "डॉ. राव ने लिखा।",
            "Is it covered (see 4.2)?",
        ],
    )
    def test_does_not_end_at_an_abbreviation_or_decimal(self, sentence: str) -> None:
        text = f"{sentence} Next one."

        assert sentences(text) == [sentence, "Next one."]

    def test_ends_at_a_danda_even_without_a_space(self) -> None:
        assert sentences("दावा करें।फिर रुकें। क्या मिला? हाँ!") == ["दावा करें।", "फिर रुकें।", "क्या मिला?", "हाँ!"]

    def test_tells_the_answer_no_from_the_abbreviation(self) -> None:
        assert sentences("The answer is No. Ask HR.") == ["The answer is No.", "Ask HR."]

    def test_ends_after_an_abbreviation_that_closes_the_sentence(self) -> None:
        assert sentences("It is run by Setu Ltd. The insurer decides.") == [
            "It is run by Setu Ltd.",
            "The insurer decides.",
        ]

    def test_ends_after_a_lettered_list_or_part(self) -> None:
        assert sentences("Gloves are in List I. They are not payable.") == [
            "Gloves are in List I.",
            "They are not payable.",
        ]

    def test_takes_headings_list_items_and_table_rows_as_sentences_of_their_own(self) -> None:
        text = (
            "## 4.7 Cataract\nIt is paid.\n- one bill\n- two\n1. First. Go on\n2. Second\n"
            "| a | b. c |\n| 1 | 2 |"
        )

        assert sentences(text) == [
            "## 4.7 Cataract",
            "It is paid.",
            "- one bill",
            "- two",
            "1. First.",
            "Go on",
            "2. Second",
            "| a | b. c |",
            "| 1 | 2 |",
        ]

    def test_joins_a_sentence_over_wrapped_lines_but_not_over_a_blank_one(self) -> None:
        assert sentences("The limit\nis per eye.\n\nNo stop here\n\nNext") == [
            "The limit\nis per eye.",
            "No stop here",
            "Next",
        ]

    def test_keeps_a_closing_quote_with_its_sentence(self) -> None:
        assert sentences('He said "pay it." Then he left.') == ['He said "pay it."', "Then he left."]

    @given(TEXTS)
    def test_places_every_visible_character_in_exactly_one_span(self, text: str) -> None:
        spans = split_sentences(text)

        assert "".join("".join(span.text.split()) for span in spans) == "".join(text.split())
        assert all(text[span.start : span.end] == span.text for span in spans)
        assert all(one.end <= two.start for one, two in pairwise(spans))


class TestTruncate:
    def test_leaves_a_short_text_alone(self) -> None:
        assert truncate("दावा", 4) == "दावा"

    def test_never_tears_a_vowel_sign_from_its_letter(self) -> None:
        assert truncate("किताबें", 2) == "…"
        assert truncate("किताबें", 3) == "कि…"

    def test_prefers_the_space_before_a_broken_word(self) -> None:
        assert truncate("the limit for eyes", 17) == "the limit for…"
        assert truncate("the limit for cataract surgery", 26) == "the limit for cataract…"

    def test_has_nothing_to_say_in_no_room(self) -> None:
        assert truncate("abc", 0) == ""

    @given(TEXTS, st.integers(min_value=0, max_value=70))
    def test_stays_within_its_length_and_repeats_the_beginning(self, text: str, chars: int) -> None:
        cut = truncate(text, chars)

        assert len(cut) <= chars
        assert text.startswith(cut.removesuffix("…").rstrip()) or cut == text
