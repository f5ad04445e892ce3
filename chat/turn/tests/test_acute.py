"""Emergencies in three languages, and the questions that only sound like one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.turn.guardrails.acute import AcuteKind, acute_signs, find_acute
from chat.turn.lexicon import load_toml
from plancover_assist.text.sentences import split_sentences

_SETS = Path(__file__).parent / "sets"
_GUARDRAILS = Path(__file__).parents[1] / "guardrails"
_CORPUS = Path(__file__).parents[3] / "corpus"
_INNOCENT = "-"


def _lines() -> Iterator[tuple[str, str]]:
    """Yield (kind, sentence) of every set."""
    for path in sorted(_SETS.glob("acute_*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            _, kind, text = line.split("\t")
            yield kind, text


EMERGENCIES = [(kind, text) for kind, text in _lines() if kind != _INNOCENT]
LOOK_ALIKES = [text for kind, text in _lines() if kind == _INNOCENT]


class TestFindAcute:
    @pytest.mark.parametrize(("kind", "text"), EMERGENCIES)
    def test_finds_what_is_happening(self, kind: str, text: str) -> None:
        hit = find_acute(text)
        assert hit is not None
        if {kind, hit.kind} & {AcuteKind.SELF_HARM, AcuteKind.CHILD}:
            assert hit.kind == kind

    @pytest.mark.parametrize("text", LOOK_ALIKES)
    def test_leaves_a_question_about_the_same_thing_alone(self, text: str) -> None:
        assert find_acute(text) is None

    def test_names_the_words_it_rests_on(self) -> None:
        hit = find_acute("Papa is UNCONSCIOUS, is he covered?")
        assert hit is not None
        assert (hit.kind, hit.phrase) == (AcuteKind.MEDICAL, "unconscious")

    @pytest.mark.parametrize(
        "text",
        [
            "saans nahi aa rahi papa ko",
            "sans nhi aarhi papa ko",
            "saansen nahin aa rahin papa ko",
            "saas nai aa rahi papa ko",
            "पापा को सांस नहीं आ रही",
            "पापा को साँस नही आ रही",
        ],
    )
    def test_hears_any_spelling_of_one_sentence(self, text: str) -> None:
        assert find_acute(text) is not None

    @pytest.mark.parametrize(
        "text", ["my dad is unconcious", "she is chokking", "my wife is bleding heavily"]
    )
    def test_hears_through_a_slip_of_the_keyboard(self, text: str) -> None:
        assert find_acute(text) is not None

    @pytest.mark.parametrize(
        "text", ["cooking class covered?", "is my benefit fits all plan ok", "feeding tube limit"]
    )
    def test_does_not_take_another_english_word_for_a_slip(self, text: str) -> None:
        assert find_acute(text) is None

    def test_prefers_the_present_to_the_past_of_the_same_message(self) -> None:
        assert find_acute("bypass hua tha pichle saal") is None
        assert find_acute("pichle saal bypass hua tha, abhi seene me dard ho raha hai") is not None

    def test_reads_a_fear_of_what_may_come_as_a_question(self) -> None:
        assert find_acute("if my father is unconscious, who signs the form?") is None
        assert find_acute("my father is unconscious, who signs the form?") is not None

    def test_takes_a_wish_to_die_seriously_beside_talk_of_money(self) -> None:
        hit = find_acute("मरना चाहता हूँ, क्लेम का पैसा भी नहीं मिला")
        assert hit is not None
        assert hit.kind is AcuteKind.SELF_HARM

    @pytest.mark.parametrize(
        "text",
        [
            "patient critical hai hospital admit nahi kar raha",
            "hospital denied admission without deposit, patient critical",
            "patient is critical. hospital refused cashless",
            "critical patient ko bharti nahi kar rahe",
        ],
    )
    def test_puts_a_life_before_the_papers_care_is_refused_over(self, text: str) -> None:
        assert find_acute(text) is not None

    @pytest.mark.parametrize(
        "text",
        [
            "hospital refused cashless, how to get reimbursed",
            "patient was critical, hospital refused admission, how to complain",
            "patient is not critical, hospital refused admission",
        ],
    )
    def test_leaves_refused_care_alone_where_no_life_hangs_on_it_now(self, text: str) -> None:
        assert find_acute(text) is None

    @pytest.mark.parametrize(
        ("news", "question"),
        [
            ("Heart attack!", "heart attack cover"),
            ("heart attack ho gaya hai", "heart attack ho gaya tha pichle saal"),
            ("accident hogya", "accident ho gaya to kitna milega"),
            ("दिल का दौरा पड़ा है", "बिल देखकर दिल का दौरा पड़ गया"),
            ("दौरा पड़ गया है", "दौरा पड़ने पर क्या मिलेगा"),
            ("गाड़ी से एक्सीडेंट हो गया", "एक्सीडेंट हो गया था, क्लेम कैसे करें"),
            ("accident happened", "accident happened, which papers do you need"),
            ("khudkushi", "khudkushi par claim milta hai kya"),
        ],
    )
    def test_hears_bare_news_and_not_a_question_about_it(self, news: str, question: str) -> None:
        assert find_acute(news) is not None
        assert find_acute(question) is None

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("माँ को लकवा मार गया है", AcuteKind.MEDICAL),
            ("mummy ko dimagi bukhar maar gaya hai", AcuteKind.MEDICAL),
            ("bachche ko lakwa ne maar diya hai", AcuteKind.MEDICAL),
            ("mummy ko bhai maar raha hai", AcuteKind.VIOLENCE),
            ("mujhe bukhar hai aur pati mujhe maar raha hai", AcuteKind.VIOLENCE),
        ],
    )
    def test_tells_an_illness_that_strikes_from_a_person(self, text: str, kind: AcuteKind) -> None:
        hit = find_acute(text)
        assert hit is not None
        assert hit.kind is kind

    @pytest.mark.parametrize("text", ["", "?!", "🙂", "0"])
    def test_finds_nothing_where_nothing_is_said(self, text: str) -> None:
        assert find_acute(text) is None


class TestTheSets:
    def test_hold_as_many_of_each_in_every_language(self) -> None:
        for path in _SETS.glob("acute_*.tsv"):
            rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
            for lang in ("en", "hi", "hinglish"):
                innocent = [kind == _INNOCENT for found, kind, _ in rows if found == lang]
                assert innocent.count(True) == innocent.count(False) == len(rows) / 6

    def test_share_no_sentence(self) -> None:
        texts = [text for _, text in _lines()]
        assert len(texts) == len(set(texts))


class TestTheWordLists:
    def test_define_every_concept_a_sign_names(self) -> None:
        concepts = load_toml(_GUARDRAILS / "acute_words.toml")["concepts"]
        named = {concept for sign in acute_signs() for part in sign.pattern.parts for concept in part}
        assert isinstance(concepts, dict)
        assert named <= set(concepts)

    def test_stay_quiet_over_the_questions_of_the_corpus(self) -> None:
        questions = [
            one.text
            for path in sorted(_CORPUS.rglob("*.md"))
            for one in split_sentences(path.read_text(encoding="utf-8"))
            if one.text.endswith("?")
        ]
        assert len(questions) > 50
        assert [text for text in questions if find_acute(text)] == []
