"""A member asks what the cover pays and reads the figure of the paper that rules, with its source.

Every question is asked of the corpus as it ships. What an answer must keep is checked on each: its
language, its figures, its markers, and whose papers it cites.
"""

import re
from dataclasses import dataclass

import pytest
from django.conf import LazySettings

from chat.turn.events import Citation
from plancover_assist import db
from plancover_assist.text.language import detect
from plancover_assist.text.numbers import numbers_in
from tests.journeys.support import Answered, ask, passages_of

pytestmark = pytest.mark.usefixtures("demo_index")

A, B, VISITOR = "member-a1", "member-b1", ""
OWNERS = {A: {"public", "ten_a"}, B: {"public", "ten_b"}, VISITOR: {"public"}}
CATARACT = {
    "en": "What is the cataract limit per eye?",
    "hi": "मोतियाबिंद के ऑपरेशन में एक आँख के लिए कितनी सीमा है?",
    "hinglish": "motiyabind ke operation ki limit ek aankh ke liye kitni hai?",
}
CATARACT_IN_AUGUST = {
    "en": "What was the cataract limit per eye for an admission on 31 August 2026?",
    "hi": "31 अगस्त 2026 को भर्ती होने पर मोतियाबिंद की सीमा प्रति आँख कितनी थी?",
    "hinglish": "31 August 2026 ko admission par motiyabind ki limit ek aankh ke liye kitni thi?",
}
CATARACT_FIGURES = {"₹25,000", "₹30,000", "₹35,000", "₹40,000"}


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the words its answer must hold, and the papers of which it must cite one."""

    about: str
    who: str
    lang: str
    text: str
    says: str
    papers: str = ""

    def __str__(self) -> str:
        return f"{self.about}, {self.who}, {self.lang}"


A_RULES, B_RULES = "A-SCHED", "B-SCHED B-WORD B-HI-SUM"
BENEFITS = (
    Case("sum insured", A, "en", "What is the sum insured of my family floater?", "₹5,00,000", A_RULES),
    Case("sum insured", B, "en", "What is the sum insured of my family floater?", "₹3,00,000", B_RULES),
    Case("room", B, "hinglish", "ek din ka room rent kitna milta hai?", "₹3,000", B_RULES),
    Case("intensive care", B, "hi", "आईसीयू का एक दिन का कितना खर्च मिलता है?", "₹6,000", B_RULES),
    Case("maternity", B, "hinglish", "normal delivery par maternity mein kitna milega?", "₹50,000", B_RULES),
    Case("joints", A, "hinglish", "ghutne badalne ki surgery ki limit kitni hai?", "₹2,00,000", A_RULES),
    Case("joints", B, "en", "Is there a separate limit for knee replacement?", "no separate limit", B_RULES),
    Case("ambulance", A, "en", "What is the ambulance limit per admission?", "₹2,500", A_RULES),
    Case("ambulance", B, "hi", "एम्बुलेंस का कितना खर्च मिलता है?", "₹2,000", B_RULES),
    Case("AYUSH", B, "hinglish", "AYUSH ilaaj ke liye saal mein kitna milta hai?", "₹25,000", B_RULES),
    Case("LASIK", A, "en", "From what eye power is LASIK covered?", "7.5", A_RULES),
    Case("LASIK", B, "hi", "क्या लेसिक ऑपरेशन कवर है?", "कवर नहीं", B_RULES),
    Case(
        "psychiatry",
        B,
        "en",
        "How much is paid for psychiatric in-patient treatment in a year?",
        "₹50,000",
        B_RULES,
    ),
    Case("infertility", A, "en", "What is the limit for infertility treatment?", "₹50,000", A_RULES),
    Case("buffer", A, "en", "How much can one family get from the corporate buffer?", "₹3,00,000", A_RULES),
    Case(
        "filing",
        A,
        "en",
        "Within how many days of discharge must I file a reimbursement claim?",
        "30 days",
        A_RULES,
    ),
    Case("filing", B, "hi", "अस्पताल से छुट्टी के कितने दिन के भीतर रीइंबर्समेंट का दावा करना है?", "15 दिन", B_RULES),
    Case(
        "intimation",
        A,
        "hinglish",
        "planned admission ki suchna kitne ghante pehle deni hai?",
        "48 hours",
        A_RULES,
    ),
    Case(
        "intimation",
        B,
        "en",
        "Within how many hours of an admission must I tell the desk?",
        "24 hours",
        B_RULES,
    ),
    Case("co-pay", A, "hi", "माता-पिता के दावे पर को-पे कितना है?", "10 %", A_RULES),
    Case("co-pay", B, "en", "What co-pay applies to a claim of my parents?", "20 %", B_RULES),
    Case(
        "before and after",
        B,
        "hinglish",
        "bharti se pehle aur baad mein kitne din ka kharcha milta hai?",
        "60",
        B_RULES,
    ),
    Case("marriage", A, "hinglish", "shaadi ke baad patni ko kitne din mein jodna hai?", "30 days", A_RULES),
    Case("leaving", A, "hi", "नौकरी छोड़ने पर कवर कब तक रहता है?", "last working day", A_RULES),
    Case(
        "leaving",
        B,
        "en",
        "Until when does cover last when I leave the company?",
        "end of the month",
        B_RULES,
    ),
    Case("non-medical items", A, "hinglish", "non-medical items kitne tak payable hain?", "₹10,000", A_RULES),
    Case("originals", B, "hinglish", "kya original bill dena zaroori hai?", "original", B_RULES),
)
# Told by a paper in force, but not found by the question as it is put here.
OTHERWISE_ASKED = (
    Case("room", A, "en", "Which hospital room category am I entitled to?", "single private AC", A_RULES),
    Case("maternity", A, "hi", "सिजेरियन डिलीवरी के लिए मातृत्व की सीमा कितनी है?", "₹1,00,000", A_RULES),
    Case("OPD", B, "hinglish", "OPD ka saalana limit kitna hai?", "₹10,000", B_RULES),
)

_SPAN = re.compile(r"(.*?)((?:\[\d+\]\s*)+)", re.DOTALL)
_MARKER = re.compile(r"\[(\d+)\]")
_QUOTED = re.compile("“[^”]*”")


async def check_what_every_answer_keeps(answered: Answered, case: Case) -> None:
    final = answered.final
    assert (final.action, final.escalation) == ("answered", None)
    assert answered.escalations == ()
    assert final.lang == case.lang
    assert speaks(final.answer, case.lang)
    markers = {int(number) for number in _MARKER.findall(final.answer)}
    assert markers == {citation.n for citation in final.citations} != set()
    assert set(final.citations) <= set(answered.offered)
    for citation in answered.offered:
        assert {owner for owner, _ in await db.call(passages_of, citation)} <= OWNERS[case.who]
    await check_figures(final.answer, final.citations)


async def check_figures(answer: str, citations: tuple[Citation, ...]) -> None:
    """Each figure stands in a source that the very passage of the answer cites; none stands uncited."""
    found = {citation.n: await db.call(passages_of, citation) for citation in citations}
    assert all(found.values()), "a citation previews what no indexed passage says"
    for words, markers in _SPAN.findall(answer):
        sources = " ".join(text for number in _MARKER.findall(markers) for _, text in found[int(number)])
        assert numbers_in(words) <= numbers_in(sources), words
    assert not numbers_in(_SPAN.sub("", answer))


def speaks(answer: str, lang: str) -> bool:
    """Tell whether the assistant's own words, outside quotation marks, are of the language."""
    own = _MARKER.sub("", _QUOTED.sub("", answer))
    return str(detect(own)) == lang


def cited(answered: Answered) -> set[str]:
    return {citation.doc_id for citation in answered.final.citations}


@pytest.mark.usefixtures("engine")
class TestTheCataractLimit:
    @pytest.mark.parametrize("lang", CATARACT)
    async def test_of_ten_a_is_the_endorsements(self, lang: str) -> None:
        case = Case("cataract", A, lang, CATARACT[lang], "₹40,000")
        answered = await ask(case.who, case.text)

        assert case.says in answered.final.answer
        assert "A-END-07" in cited(answered)
        await check_what_every_answer_keeps(answered, case)

    @pytest.mark.parametrize("lang", CATARACT)
    async def test_of_ten_b_is_its_schedules(self, lang: str) -> None:
        case = Case("cataract", B, lang, CATARACT[lang], "₹25,000")
        answered = await ask(case.who, case.text)

        assert figures(answered) == {"₹25,000"}
        assert cited(answered) & set(B_RULES.split())
        await check_what_every_answer_keeps(answered, case)

    @pytest.mark.parametrize("lang", CATARACT)
    async def test_is_no_employers_for_a_visitor(self, lang: str) -> None:
        case = Case("cataract", VISITOR, lang, CATARACT[lang], "")
        answered = await ask(case.who, case.text)

        assert "₹" not in answered.final.answer
        assert not any(one in citation.quote for citation in answered.offered for one in CATARACT_FIGURES)
        await check_what_every_answer_keeps(answered, case)

    @pytest.mark.parametrize("lang", CATARACT_IN_AUGUST)
    async def test_follows_the_day_that_the_question_names(self, lang: str) -> None:
        case = Case("cataract", A, lang, CATARACT_IN_AUGUST[lang], "₹35,000")
        answered = await ask(case.who, case.text)

        assert figures(answered) == {"₹35,000"}
        assert cited(answered) == {"A-SCHED"}
        await check_what_every_answer_keeps(answered, case)

    @pytest.mark.parametrize("lang", CATARACT)
    async def test_follows_the_products_own_day(self, lang: str, settings: LazySettings) -> None:
        settings.ASSIST_TODAY = "2026-08-31"
        case = Case("cataract", A, lang, CATARACT[lang], "₹35,000")
        answered = await ask(case.who, case.text)

        assert figures(answered) == {"₹35,000"}
        assert cited(answered) == {"A-SCHED"}
        await check_what_every_answer_keeps(answered, case)


def figures(answered: Answered) -> set[str]:
    """Return which of the corpus' cataract figures an answer names."""
    return {figure for figure in CATARACT_FIGURES if figure in answered.final.answer}


@pytest.mark.usefixtures("engine")
class TestABenefit:
    @pytest.mark.parametrize("case", BENEFITS, ids=str)
    async def test_is_told_from_the_members_own_policy(self, case: Case) -> None:
        await self.check(case)

    @pytest.mark.parametrize("case", OTHERWISE_ASKED, ids=str)
    async def test_is_told_however_it_is_asked(self, case: Case) -> None:
        await self.check(case)

    @staticmethod
    async def check(case: Case) -> None:
        answered = await ask(case.who, case.text)

        assert case.says in answered.final.answer
        assert cited(answered) & set(case.papers.split())
        await check_what_every_answer_keeps(answered, case)
