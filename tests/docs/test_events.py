"""docs/events.md lists every event and every field that the models have, and no other."""

import re
from typing import get_args

import pytest
from pydantic import BaseModel

from chat.turn.events import EVENT, TERMINAL_TYPES, TRACE_TYPES, Envelope, Event, FinalBody, Heartbeat
from tests.architecture.source import ROOT
from tests.docs.documents import read, rows, section

pytestmark = pytest.mark.docs

PAGE = read(ROOT / "docs" / "events.md")
UNION, _ = get_args(Event)
MODELS: dict[str, type[BaseModel]] = {
    model.model_fields["type"].default: model for model in (*get_args(UNION), Heartbeat)
}


def described(name: str) -> set[str]:
    return {row[0].strip("`") for row in rows(section(PAGE, f"## `{name}`"))}


def own_fields(model: type[BaseModel]) -> set[str]:
    """The fields beyond the envelope; an event that repeats `final` is described by reference."""
    common = {"type"} | (set(Envelope.model_fields) if issubclass(model, Envelope) else set())
    if model.__name__ == "TurnCompleted":
        common |= set(FinalBody.model_fields)
    return set(model.model_fields) - common


class TestThePageOfEvents:
    def test_describes_every_type_and_no_other(self) -> None:
        assert set(re.findall(r"^## `([^`]+)`$", PAGE, re.MULTILINE)) == set(MODELS)

    @pytest.mark.parametrize("name", MODELS)
    def test_describes_every_field_and_no_other(self, name: str) -> None:
        assert described(name) == own_fields(MODELS[name])

    def test_names_every_terminal_type_where_it_speaks_of_the_end(self) -> None:
        sentence = re.search(r"A run ends .*?\.\s[A-Z]", PAGE, re.DOTALL)
        assert sentence
        assert {name for name in MODELS if f"`{name}`" in sentence[0]} == TERMINAL_TYPES

    def test_places_the_trace_types_under_their_heading(self) -> None:
        trace = PAGE.partition("## Trace events")[2]
        assert set(re.findall(r"^## `([^`]+)`$", trace, re.MULTILINE)) == TRACE_TYPES


class TestAnEvent:
    @pytest.mark.parametrize("unknown", ["", '"answered_by": "me",'])
    def test_of_the_closed_union_forbids_what_it_does_not_know(self, unknown: str) -> None:
        text = f'{{"type": "delta", {unknown} "turn_id": "t", "seq": 1, "attempt": 1, "at": "", "text": "a"}}'
        if unknown:
            with pytest.raises(ValueError, match="answered_by"):
                EVENT.validate_json(text)
        else:
            assert EVENT.validate_json(text).type == "delta"
