"""Hearing concepts in words of three languages."""

import pytest

from chat.turn.lexicon import Heard, Lexicon, words_of
from chat.turn.patterns import Pattern

LEXICON = Lexicon(
    {
        "breath": "~saans, breathing",
        "not": "nahi, cant",
        "claim": "claim*",
        "killing": "killing",
        "joke": "killing me",
    },
    masking=["joke"],
)


def heard(text: str) -> list[str]:
    return [one.concept for one in LEXICON.hear(words_of(text))]


class TestWordsOf:
    def test_folds_case_apostrophes_and_stretched_letters(self) -> None:
        assert [word.text for word in words_of("CAN'T breatheeee")] == ["cant", "breathee"]

    def test_keeps_vowel_signs_inside_words(self) -> None:
        assert [word.text for word in words_of("साँस नहीं")] == ["सांस", "नहीं"]

    def test_counts_clauses_and_sentences(self) -> None:
        assert [(word.clause, word.sentence) for word in words_of("a, b. c")] == [(0, 0), (1, 0), (2, 1)]


class TestHear:
    @pytest.mark.parametrize("text", ["saans", "saaans", "साँस", "सांस"])
    def test_takes_a_sound_in_either_script(self, text: str) -> None:
        assert heard(text) == ["breath"]

    def test_matches_whole_words_only(self) -> None:
        assert heard("nahin") == []
        assert heard("reclaim") == []

    def test_takes_any_ending_where_the_list_allows_it(self) -> None:
        assert heard("claims claimed claiming") == ["claim", "claim", "claim"]

    def test_forgives_one_slip_in_a_longer_english_word(self) -> None:
        assert heard("breahting") == ["breath"]
        assert heard("brething") == ["breath"]
        assert heard("breeding") == []

    def test_hides_what_a_masking_phrase_covers(self) -> None:
        assert heard("killing time") == ["killing"]
        assert heard("killing me") == ["joke"]


class TestMatches:
    def test_wants_the_parts_in_order_and_close_together(self) -> None:
        pattern = Pattern.parse("breath not|claim", 3)
        assert list(pattern.matches(LEXICON.hear(words_of("saans bilkul nahi")))) == [(0, 3)]
        assert list(pattern.matches(LEXICON.hear(words_of("nahi saans")))) == []
        assert list(pattern.matches(LEXICON.hear(words_of("saans me thodi si nahi")))) == []

    def test_does_not_use_a_word_twice(self) -> None:
        both = [Heard("a", 0, 2), Heard("b", 1, 2), Heard("b", 2, 3)]
        assert list(Pattern.parse("a b", 4).matches(both)) == [(0, 3)]
