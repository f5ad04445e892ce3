"""English words for Hindi ones."""

import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text import phonetic
from plancover_assist.text.devanagari import is_devanagari
from plancover_assist.text.glossary import gloss, is_known

LINES = [
    line
    for line in resources.files("plancover_assist.text")
    .joinpath("data/glossary.txt")
    .read_text("utf-8")
    .splitlines()
    if line and not line.startswith("#")
]
ENTRY = re.compile(r"[^=]+ = [A-Za-z'-]+(?: [A-Za-z'-]+)*")


class TestGloss:
    @pytest.mark.parametrize(
        ("word", "english"),
        [
            ("दावा", "claim"),
            ("bharti", "admission"),
            ("भर्ती", "admission"),
            ("kagaz", "documents"),
            ("parchi", "prescription"),
            ("raseed", "receipt"),
            ("khata", "account"),
            ("shikayat", "complaint"),
            ("lokpal", "ombudsman"),
            ("beema", "insurance"),
            ("biwi", "spouse"),
            ("saas", "mother-in-law"),
            ("mummy", "mother"),
            ("bachcha", "child"),
            ("paisa", "money"),
            ("motiyabind", "cataract"),
            ("chhutti", "discharge"),
            ("kyun", "why"),
        ],
    )
    def test_knows_the_words_of_members_in_both_scripts(self, word: str, english: str) -> None:
        assert english in gloss([word])

    @pytest.mark.parametrize(
        ("inflected", "english"),
        [
            ("kata", "deducted"),
            ("kate", "deducted"),
            ("katega", "deducted"),
            ("dikhao", "show"),
            ("bhejna", "send"),
            ("bhejenge", "send"),
            ("jodna", "add"),
            ("bachchon", "child"),
            ("hafte", "week"),
            ("बदलवाना", "change"),
            ("दावों", "claim"),
        ],
    )
    def test_cuts_endings_until_an_entry_is_found(self, inflected: str, english: str) -> None:
        assert english in gloss([inflected])

    def test_tells_words_of_one_sound_apart_by_their_spelling(self) -> None:
        assert gloss(["dawai"]) == ["medicine", "drugs"]
        assert gloss(["कम"]) == ["less"]
        assert gloss(["काम"]) == ["work"]

    @pytest.mark.parametrize("word", ["ko", "ka", "ke", "hai", "me", "को", "में", "है"])
    def test_gives_nothing_for_words_of_grammar(self, word: str) -> None:
        assert gloss([word]) == []

    def test_gives_nothing_for_words_it_does_not_know(self) -> None:
        assert gloss(["xylophone", "", "12", "₹"]) == []

    def test_names_each_english_word_once_in_the_order_of_the_question(self) -> None:
        assert gloss(["paisa", "bharti", "paise"]) == [
            "money",
            "amount",
            "admission",
            "admitted",
            "hospitalisation",
        ]

    @given(st.lists(st.text(max_size=12), max_size=4))
    def test_takes_any_words(self, words: list[str]) -> None:
        assert all(english.isascii() for english in gloss(words))


class TestIsKnown:
    @pytest.mark.parametrize("word", ["shikayat", "bharti", "namaste", "lokpal"])
    def test_recognises_a_hindi_noun_as_typed(self, word: str) -> None:
        assert is_known(word)

    @pytest.mark.parametrize("word", ["AYUSH", "dengue", "cataract", "zebra"])
    def test_does_not_claim_english_words(self, word: str) -> None:
        assert not is_known(word)


class TestTheData:
    def test_is_large_enough_to_carry_the_keyword_leg(self) -> None:
        assert len({phonetic.key(form) for line in LINES for form in line.split("=")[0].split()}) >= 350

    def test_pairs_hindi_forms_with_english_words(self) -> None:
        assert [line for line in LINES if not ENTRY.fullmatch(line)] == []
        assert [
            form for line in LINES for form in line.split("=")[0].split() if not is_devanagari(form)
        ] == []

    def test_repeats_no_line(self) -> None:
        assert len(LINES) == len(set(LINES))
