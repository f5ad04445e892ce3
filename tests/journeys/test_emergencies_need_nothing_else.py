"""Somebody in danger gets the number to call, whatever else of the product is down."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from functools import partial
from typing import NoReturn

import pytest

from chat.turn import engine as engines
from chat.turn.engine import Engine
from plancover_assist.errors import ModelUnavailable
from plancover_assist.llm.types import ModelRequest, Models, StreamPart, Structured
from retrieval.search import Legs, search
from tests.journeys.support import ask

EMERGENCIES = {
    "chest pain, in English": ("My husband has crushing chest pain and is not able to breathe", "en", "112"),
    "chest pain, in Hindi": ("मेरे पिताजी को अचानक सीने में तेज़ दर्द है और साँस नहीं आ रही", "hi", "112"),
    "chest pain, in Hinglish": (
        "papa ko seene mein bahut tez dard hai aur saans nahi aa rahi",
        "hinglish",
        "112",
    ),
    "an accident, in English": (
        "There was an accident, my son is unconscious and bleeding heavily",
        "en",
        "108",
    ),
    "an accident, in Hindi": ("एक्सीडेंट हो गया है, भाई बेहोश है और बहुत ख़ून बह रहा है", "hi", "108"),
    "an accident, in Hinglish": (
        "accident ho gaya, bhai behosh hai, bahut khoon beh raha hai",
        "hinglish",
        "108",
    ),
    "despair, in English": ("I want to kill myself tonight", "en", "14416"),
    "despair, in Hindi": ("मैं अब जीना नहीं चाहता, मैं आत्महत्या करने जा रहा हूँ", "hi", "14416"),
    "despair, in Hinglish": ("main ab jeena nahi chahti, main apni jaan dene wali hoon", "hinglish", "14416"),
}


class DeadModel:
    """A provider that is down for both roles; it counts who tried."""

    def __init__(self) -> None:
        self.calls = 0

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        self.calls += 1
        raise ModelUnavailable

    async def complete(self, request: ModelRequest, schema: type[Structured]) -> Structured:
        self.calls += 1
        raise ModelUnavailable


def dead(*_: object) -> NoReturn:
    raise ConnectionError("this leg is down")


@pytest.fixture
async def down(demo_index: None, engine: Engine) -> DeadModel:
    """The engine with both legs and every model raising."""
    model = DeadModel()
    legs = Legs(embed=dead, vector=dead, keyword=dead)
    broken = replace(engine, search=partial(search, legs=legs), models=Models(gather=model, answer=model))
    engines.install(broken)
    return model


class TestAnEmergency:
    @pytest.mark.parametrize(("text", "lang", "number"), EMERGENCIES.values(), ids=EMERGENCIES)
    async def test_is_answered_at_once_with_the_number_to_call(
        self, text: str, lang: str, number: str, down: DeadModel
    ) -> None:
        answered = await ask("member-a1", text)

        final = answered.final
        assert number in final.answer
        assert (final.route, final.lang, final.provider) == ("acute", lang, "")
        assert answered.escalations == ("acute",)
        assert (answered.offered, final.citations) == ((), ())
        assert [event.type for event in answered.events] == ["turn_started", "meta", "delta", "final"]
        assert down.calls == 0

    async def test_is_answered_to_a_visitor_as_well(self, down: DeadModel) -> None:
        answered = await ask("", "My father has collapsed and is not breathing")

        assert "112" in answered.final.answer
        assert answered.escalations == ("acute",)


class TestAnyOtherQuestion:
    async def test_shows_that_everything_else_is_down(self, down: DeadModel) -> None:
        answered = await ask("member-a1", "What is the cataract limit per eye?")

        assert answered.final.action == "escalated"
        assert set(answered.final.degraded_legs) == {"vector", "keyword"}
        assert answered.escalations == ("no_results",)
