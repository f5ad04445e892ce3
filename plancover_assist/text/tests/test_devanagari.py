"""Folding of Devanagari spelling variants."""

import pytest

from plancover_assist.text.devanagari import fold, is_devanagari, latin_digits


class TestFold:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("हिन्दी", "हिंदी"),
            ("सम्बन्ध", "संबंध"),
            ("अङ्क", "अंक"),
            ("पञ्च", "पंच"),
            ("घण्टा", "घंटा"),
            ("चाँद", "चांद"),
            ("ज़रूरत", "जरूरत"),
            ("\u095bरूरत", "ज\u093cरूरत"),  # composed and decomposed nukta
            ("\u0929", "\u0928"),
            ("अस्प\u200dताल", "अस्पताल"),
        ],
    )
    def test_joins_spellings_of_one_word(self, one: str, other: str) -> None:
        assert fold(one) == fold(other)

    @pytest.mark.parametrize(("one", "other"), [("दिन", "दीन"), ("कम", "काम"), ("जन्म", "जंम"), ("अन्य", "अंय")])
    def test_keeps_different_words_apart(self, one: str, other: str) -> None:
        assert fold(one) != fold(other)


class TestLatinDigits:
    def test_replaces_digits_in_place(self) -> None:
        text = "दिनांक ३१ अगस्त २०२६"

        assert latin_digits(text) == "दिनांक 31 अगस्त 2026"
        assert len(latin_digits(text)) == len(text)


class TestIsDevanagari:
    @pytest.mark.parametrize(
        ("word", "expected"), [("दावा", True), ("claimों", True), ("claim", False), ("१२", False)]
    )
    def test_looks_for_letters(self, word: str, expected: bool) -> None:
        assert is_devanagari(word) is expected
