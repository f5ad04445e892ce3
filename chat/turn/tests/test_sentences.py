"""The product's own sentences: complete in three languages, and saying the numbers people need."""

import re

import pytest

from chat.models import EscalationReason
from chat.turn.guardrails.acute import AcuteKind
from chat.turn.sentences import keys, languages, placeholders, sentence

LANGUAGES = ("en", "hi", "hinglish")
DEVANAGARI = re.compile(r"[\u0900-\u097F]")


@pytest.mark.parametrize("key", keys())
class TestEverySentence:
    def test_exists_in_all_three_languages(self, key: str) -> None:
        assert languages(key) == LANGUAGES

    def test_names_the_same_values_in_each(self, key: str) -> None:
        assert len({placeholders(key, lang) for lang in LANGUAGES}) == 1

    def test_is_written_in_the_script_of_its_language(self, key: str) -> None:
        assert DEVANAGARI.search(sentence(key, "hi", reference="R"))
        assert not DEVANAGARI.search(
            sentence(key, "en", reference="R") + sentence(key, "hinglish", reference="R")
        )

    def test_shows_the_same_numbers_in_each(self, key: str) -> None:
        shown = {tuple(sorted(re.findall(r"\d+", sentence(key, lang, reference="R")))) for lang in LANGUAGES}
        assert len(shown) == 1


class TestSentence:
    @pytest.mark.parametrize("reason", sorted(set(EscalationReason.values) - {EscalationReason.ACUTE.value}))
    def test_gives_the_reference_of_every_escalation(self, reason: str) -> None:
        for lang in LANGUAGES:
            assert "E-4711" in sentence(reason, lang, reference="E-4711")

    @pytest.mark.parametrize(
        ("kind", "numbers"),
        [
            (AcuteKind.MEDICAL, ["112", "108"]),
            (AcuteKind.SELF_HARM, ["14416", "112"]),
            (AcuteKind.VIOLENCE, ["112", "181"]),
            (AcuteKind.CHILD, ["112", "1098"]),
        ],
    )
    def test_puts_the_numbers_to_call_first_in_an_emergency(
        self, kind: AcuteKind, numbers: list[str]
    ) -> None:
        for lang in LANGUAGES:
            words = sentence(f"acute.{kind}", lang, reference="R")
            assert re.findall(r"\d{3,}", words) == numbers

    def test_answers_an_unknown_language_in_english(self) -> None:
        assert sentence("small_talk.bye", "ta") == sentence("small_talk.bye", "en")

    def test_ignores_values_it_does_not_name(self) -> None:
        assert sentence("out_of_scope.general", "en", reference="") == sentence("out_of_scope.general", "en")

    def test_raises_for_an_unknown_key(self) -> None:
        with pytest.raises(KeyError):
            sentence("small_talk.weather", "en")

    def test_raises_when_the_reference_is_missing(self) -> None:
        with pytest.raises(KeyError):
            sentence("no_results", "en")
