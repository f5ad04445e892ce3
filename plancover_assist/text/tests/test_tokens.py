"""The tokeniser of the keyword leg, and words in their places."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text.tokens import tokenise, words_with_offsets


class TestTokenise:
    def test_drops_english_function_words_and_endings(self) -> None:
        assert tokenise("What are the waiting periods of the policies?") == ["wait", "period", "polici"]

    def test_keeps_negations_because_they_turn_a_question_around(self) -> None:
        assert "not" in tokenise("is it not covered")
        assert "no" in tokenise("no cover")

    @pytest.mark.parametrize("written", ["₹5,00,000", "Rs 500000", "५,००,०००", "5,00,000"])
    def test_reads_every_way_of_grouping_a_number_alike(self, written: str) -> None:
        assert "500000" in tokenise(written)

    def test_does_not_join_a_list_of_small_numbers(self) -> None:
        assert tokenise("clauses 4,5 and 6") == ["claus", "4", "5", "6"]

    @pytest.mark.parametrize(
        "written", ["Excl04", "Excl-04", "excl 4", "EXCL.04", "Exclusion 04", "exclusion 4"]
    )
    def test_gives_one_lexeme_for_an_exclusion_code_however_typed(self, written: str) -> None:
        assert "excl04" in tokenise(written)

    @pytest.mark.parametrize(
        ("written", "whole"),
        [("clause 5.3", "5.3"), ("4.7.1", "4.7.1"), ("A-END-07", "aend07"), ("Covid-19", "covid19")],
    )
    def test_keeps_an_identifier_whole_beside_its_parts(self, written: str, whole: str) -> None:
        lexemes = tokenise(written)

        assert lexemes.count(whole) == 1
        assert len(lexemes) > 1

    def test_makes_no_identifier_of_words_or_ranges(self) -> None:
        assert tokenise("pre-existing") == ["pre", "exist"]
        assert tokenise("30-60 days") == ["30", "60", "day"]

    def test_splits_a_number_from_the_unit_typed_against_it(self) -> None:
        assert set(tokenise("24hrs")) >= {"24", "24hrs"}
        assert "5" in tokenise("5lakh")

    @pytest.mark.parametrize("written", ["don't", "don\u2019t", "dont"])
    def test_reads_apostrophes_as_people_leave_them_out(self, written: str) -> None:
        assert tokenise(written) == ["dont"]

    def test_drops_a_possessive_ending(self) -> None:
        assert tokenise("the insurer's decision") == tokenise("insurer decision")

    def test_joins_devanagari_variants_and_neither_stems_nor_drops_hindi_words(self) -> None:
        assert tokenise("हिन्दी में ज़रूरत") == tokenise("हिंदी में जरूरत") == ["हिंदी", "में", "जरूरत"]

    def test_keeps_a_devanagari_word_whole_across_virama_and_joiner(self) -> None:
        assert tokenise("क्\u200dया स्वास्थ्य") == ["क्या", "स्वास्थ्य"]

    def test_gives_the_same_lexemes_on_many_threads_at_once(self) -> None:
        text = "The insurer reimburses hospitalisation expenses of insured members"
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(tokenise, [text] * 200))

        assert all(result == results[0] for result in results)

    @given(st.text(max_size=80))
    def test_takes_any_text_and_gives_only_lower_case_words(self, text: str) -> None:
        for lexeme in tokenise(text):
            assert lexeme
            assert lexeme == lexeme.lower()
            assert not any(char.isspace() for char in lexeme)


class TestWordsWithOffsets:
    @given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
    def test_gives_the_words_exactly_as_they_stand(self, text: str) -> None:
        for word in words_with_offsets(text):
            assert text[word.start : word.end] == word.text

    def test_keeps_vowel_signs_with_their_letters(self) -> None:
        assert [word.text for word in words_with_offsets("दावे की स्थिति, claim?")] == [
            "दावे",
            "की",
            "स्थिति",
            "claim",
        ]
