"""One key for a Hindi word in both scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text import phonetic

SPELLINGS = [
    ("खर्चा", ["kharcha", "kharchaa", "kharchaaa"]),
    ("नहीं", ["nahi", "nahin", "nahee", "nhi"]),
    ("अच्छा", ["accha", "achha", "acha", "achchha"]),
    ("पैसा", ["paisa", "paisaa", "peisa"]),
    ("भाई", ["bhai", "bhayi", "bhaai"]),
    ("जाएगा", ["jayega", "jaega", "jaayega"]),
    ("संबंध", ["sambandh", "sanbandh"]),
    ("सम्बन्ध", ["sambandh"]),
    ("ज्ञान", ["gyan", "gyaan"]),
    ("दवाई", ["dawai", "davai", "dawaai"]),
    ("बच्चे", ["bacche", "bachche", "bache"]),
    ("छुट्टी", ["chutti", "chhutti", "chuti"]),
    ("कागज़", ["kagaz", "kagaj", "kaagaz"]),
    ("फ़ॉर्म", ["form", "phorm"]),
    ("क्षमा", ["kshama", "xama"]),
    ("हुआ", ["hua", "huwa"]),
    ("शिकायत", ["shikayat", "shikaayat", "sikayat"]),
]


class TestKey:
    @pytest.mark.parametrize(("written", "typed"), SPELLINGS)
    def test_is_the_same_for_a_word_and_its_usual_romanisations(self, written: str, typed: list[str]) -> None:
        assert {phonetic.key(spelling) for spelling in typed} == {phonetic.key(written)}

    @pytest.mark.parametrize(
        ("one", "other"), [("dava", "dada"), ("bal", "pal"), ("kha", "ka"), ("mera", "mere")]
    )
    def test_differs_where_the_sound_differs(self, one: str, other: str) -> None:
        assert phonetic.key(one) != phonetic.key(other)

    @given(st.text(alphabet="कखगजडदनबमरलसहािीुेो्ंँ़aeiou", max_size=12))
    def test_takes_any_word_and_gives_plain_latin_letters(self, word: str) -> None:
        key = phonetic.key(word)

        assert key == "" or (key.isascii() and key.isalpha())


class TestRomanise:
    @pytest.mark.parametrize(
        ("word", "expected"),
        [
            ("करना", "karnaa"),
            ("मतलब", "matlab"),
            ("अस्पताल", "aspataal"),
            ("घर", "ghar"),
            ("समझना", "samajhnaa"),
            ("नमस्ते", "namaste"),
            ("न", "na"),
            ("दवा", "davaa"),
        ],
    )
    def test_speaks_only_the_schwas_that_are_spoken(self, word: str, expected: str) -> None:
        assert phonetic.romanise(word) == expected


class TestSkeleton:
    def test_keeps_what_shorthand_keeps(self) -> None:
        assert phonetic.skeleton(phonetic.key("karna")) == phonetic.skeleton(phonetic.key("krna"))
        assert phonetic.skeleton(phonetic.key("भेज")) == "bj"


class TestLikeness:
    def test_is_one_for_the_same_sound_in_both_scripts_and_less_for_others(self) -> None:
        assert phonetic.likeness("namaste", "नमस्ते") == 1.0
        assert phonetic.likeness("namaste", "नमक") < 0.8
