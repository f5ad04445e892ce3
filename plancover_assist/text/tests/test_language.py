"""Which language a message is written in."""

import pytest

from plancover_assist.text.language import Lang, detect


class TestDetect:
    @pytest.mark.parametrize(
        "text",
        [
            "what is the cataract limit per eye?",
            "is it per se excluded",
            "what does a lokpal do",
            "what is AYUSH",
            "numerical limit for gastro day procedures in Mysore",
            "me and my hum of the par",
            "N348I mutations cause resistance",
            "ok bye",
            "Kia Seltos",
            "is Liya covered",
            "heart attack",
            "what does शिकायत mean in the letter I got",
            "112",
            "",
            "?!",
        ],
    )
    def test_takes_english_where_nothing_speaks_against_it(self, text: str) -> None:
        assert detect(text) is Lang.ENGLISH

    @pytest.mark.parametrize(
        "text",
        [
            "मोतियाबिंद की सीमा क्या है?",
            "मेरा claim pending क्यों है",
            "AYUSH का limit",
            "नमस्ते",
            "मतलब?",
            "दावा १२३",
        ],
    )
    def test_takes_hindi_by_its_share_of_devanagari(self, text: str) -> None:
        assert detect(text) is Lang.HINDI

    @pytest.mark.parametrize(
        "text",
        [
            "mera claim kyu reject hua",
            "floater ka matlab samjhao",
            "BP ki dawai band kar du kya",
            "AYUSH ka limit btao",
            "papa bharti",
            "beema raashi",
            "namaste",
            "shikayat",
            "शिकायत kaise kare bhai batao yaar",
            "paise kab aayenge",
            "discharge me der ho rahi hai",
            "zeher kha liya",
            "zahar pi liya",
            "lakwa",
            "dil ka daura",
            "khudkushi",
            "accident hogya",
            "chot lagi",
        ],
    )
    def test_takes_hinglish_by_function_words_and_hindi_nouns(self, text: str) -> None:
        assert detect(text) is Lang.HINGLISH

    def test_gives_the_plain_names_that_state_and_templates_use(self) -> None:
        assert [str(lang) for lang in Lang] == ["en", "hi", "hinglish"]
