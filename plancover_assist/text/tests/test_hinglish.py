"""Romanised Hindi back in Devanagari."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text.hinglish import PhoneticIndex, restore
from plancover_assist.text.tokens import tokenise

VOCABULARY = frozenset(
    tokenise("floater AYUSH PED cashless claim discharge hospital policy cataract co-pay log")
)


class TestRestore:
    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("mera claim kyon pending hai", "मेरा claim क्यों pending है"),
            ("floater ka matlab batao", "floater का मतलब बताओ"),
            ("discharge kab hoga bhai", "discharge कब होगा भाई"),
            ("AYUSH ka limit btao", "AYUSH का limit बताओ"),
            ("bacche ka kharcha kitna milega?", "बच्चे का खर्चा कितना मिलेगा?"),
            ("motiyabind ka operation", "मोतियाबिंद का operation"),
            ("hospital me bharti kab karna hai", "hospital में भर्ती कब करना है"),
        ],
    )
    def test_puts_hindi_words_back_and_leaves_english_ones(self, typed: str, expected: str) -> None:
        assert restore(typed, VOCABULARY).text == expected

    @pytest.mark.parametrize(
        "text",
        [
            "what is the cataract limit per eye?",
            "is it me or the hospital",
            "मेरा दावा कहाँ है",
            "",
            "Excl04 5.3 ₹5,00,000",
        ],
    )
    def test_leaves_a_text_that_is_not_hinglish_alone(self, text: str) -> None:
        restored = restore(text, VOCABULARY)

        assert restored.text == text
        assert restored.hindi_words == ()

    def test_names_the_words_it_judged_to_be_hindi_as_they_were_typed(self) -> None:
        assert restore("Mera PED claim kab milega", VOCABULARY).hindi_words == ("mera", "kab", "milega")

    def test_keeps_everything_between_the_words(self) -> None:
        assert restore("  mera claim #12, kab?!\n", VOCABULARY).text == "  मेरा claim #12, कब?!\n"

    def test_keeps_the_words_of_the_index_that_no_english_list_knows(self) -> None:
        assert "floater" in restore("floater kya hai", VOCABULARY).text
        assert "PED" in restore("PED kya hai", VOCABULARY).text

    def test_restores_a_hindi_word_that_slipped_into_the_vocabulary(self) -> None:
        polluted = VOCABULARY | {"bharti", "kagaz"}

        assert restore("bharti ke kagaz kahan hai", polluted).text == "भर्ती के कागज कहाँ है"

    def test_does_not_take_common_english_words_for_hindi_ones_that_sound_alike(self) -> None:
        restored = restore("mera app me car aur cab ka bill hai", frozenset())

        assert all(word in restored.text.split() for word in ("app", "car", "cab", "bill"))

    def test_finds_a_rare_word_through_the_hindi_words_of_the_index(self) -> None:
        known = frozenset({"पृष्ठांकन"})

        assert "पृष्ठांकन" in restore("prishthankan kya hai", VOCABULARY, known).text

    @given(st.text(alphabet="abcdehiklmnoprstuy ?.", max_size=40))
    def test_changes_only_words_and_never_their_number(self, text: str) -> None:
        restored = restore(f"kya {text}", VOCABULARY)

        assert len(restored.text.split()) == len(f"kya {text}".split())


class TestPhoneticIndex:
    def test_prefers_the_commoner_of_two_words_that_sound_alike(self) -> None:
        index = PhoneticIndex({"काम": 1e-3, "कम्म": 1e-7})

        assert [candidate.word for candidate in index.candidates("kaam")] == ["काम", "कम्म"]

    def test_falls_back_on_consonants_for_shorthand(self) -> None:
        index = PhoneticIndex({"भेजना": 1e-5})

        assert [candidate.word for candidate in index.candidates("bhjna")] == ["भेजना"]

    def test_gives_nothing_that_does_not_even_look_alike(self) -> None:
        index = PhoneticIndex({"उपयोगिता": 1e-5})

        assert index.candidates("pgt") == []
