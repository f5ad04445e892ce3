"""What no paper says is not answered: the member is told so, and claims staff get the question once.

The set of papers holds nothing on next year's terms, premiums, hospital prices, the quality of doctors, an
insurer's claim ratio and treatment advice. The first line of defence is the gate, which spares the model
call; what passes it is declined by the model itself.
"""

import pytest

from tests.journeys.support import Answered, RecordingModel, ask

pytestmark = pytest.mark.usefixtures("demo_index", "engine")

GATE = {"no_results", "low_confidence", "not_covered_by_sources"}
STOPPED_BY_THE_GATE = {
    "a price, in English": ("member-a1", "How much does an angioplasty cost at a hospital in Pune?"),
    "a price, in Hinglish": ("member-b1", "Pune ke hospital mein bypass surgery ka kharcha kitna aata hai?"),
    "the best doctor, in Hindi": ("member-b1", "दिल्ली में सबसे अच्छा हड्डी का डॉक्टर कौन है?"),
    "a claim ratio, in Hindi": ("member-b1", "डेक्कन म्यूचुअल का क्लेम सेटलमेंट रेशियो कितना है?"),
    "a medicine, in Hinglish": ("member-b1", "mujhe sugar ke liye kaun si dawai leni chahiye?"),
    "a pet, in Hindi": ("member-b1", "क्या मेरे कुत्ते का इलाज पॉलिसी में शामिल है?"),
    "a gym, in English": ("member-a1", "Does the company pay for a gym membership?"),
}
DECLINED_BY_THE_MODEL = {
    "a count, in English": ("member-a1", "How many claims did our company file last year?"),
}
# Their words stand in papers about something else, so neither gate nor model could tell; the plan does.
HELD_BY_NO_PAPER = {
    "a premium, in Hinglish": ("member-b1", "company har employee ke liye kitna premium deti hai?"),
    "a premium, in English": ("member-a1", "What premium does the company pay per employee?"),
    "a claim ratio, in English": ("member-a1", "What is the claim settlement ratio of Aravalli General?"),
    "next year, in English": ("member-a1", "What will the terms and limits of our policy be next year?"),
    "next year, in Hindi": ("member-b1", "अगले साल हमारी पॉलिसी की शर्तें क्या होंगी?"),
}


def check_handed_over(answered: Answered) -> None:
    final = answered.final
    assert final.action == "escalated"
    assert (answered.offered, final.citations, final.citation_report) == ((), (), ())
    assert final.escalation is not None
    assert answered.escalations == (final.escalation.reason,)
    assert final.escalation.reference in final.answer


class TestAnUncoveredQuestion:
    @pytest.mark.parametrize(("who", "text"), STOPPED_BY_THE_GATE.values(), ids=STOPPED_BY_THE_GATE)
    async def test_is_stopped_before_the_model_is_called(
        self, who: str, text: str, model: RecordingModel
    ) -> None:
        answered = await ask(who, text)

        check_handed_over(answered)
        assert set(answered.escalations) <= GATE
        assert model.requests == []

    @pytest.mark.parametrize(("who", "text"), DECLINED_BY_THE_MODEL.values(), ids=DECLINED_BY_THE_MODEL)
    async def test_that_passes_the_gate_is_declined_by_the_model(
        self, who: str, text: str, model: RecordingModel
    ) -> None:
        answered = await ask(who, text)

        check_handed_over(answered)
        assert answered.escalations == ("model_abstained",)
        assert len(model.requests) == 1

    @pytest.mark.parametrize(("who", "text"), HELD_BY_NO_PAPER.values(), ids=HELD_BY_NO_PAPER)
    async def test_whose_words_stand_elsewhere_is_handed_over_unsearched(
        self, who: str, text: str, model: RecordingModel
    ) -> None:
        answered = await ask(who, text)

        check_handed_over(answered)
        assert answered.escalations == ("not_covered_by_sources",)
        assert (answered.final.tier, model.requests) == ("", [])

    async def test_is_told_apart_from_one_that_is_answered(self, model: RecordingModel) -> None:
        answered = await ask("member-a1", "What is the ambulance limit per admission?")

        assert answered.final.action == "answered"
        assert answered.escalations == ()
        assert len(model.requests) == 1
