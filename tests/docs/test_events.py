"""docs/events.md lists every event and every field that the models have, and no other."""

import re
from typing import get_args

import pytest
from pydantic import BaseModel

from chat import consumers
from chat.schemas import ClientFrame, FrameError
from chat.turn.events import EVENT, TERMINAL_TYPES, TRACE_TYPES, Envelope, Event, FinalBody, Heartbeat
from plancover_assist.settings.bounds import SOCKET_MAX_FRAME_BYTES
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


class TestWhatAClientSends:
    def test_is_described_frame_by_frame_and_field_by_field(self) -> None:
        union, _ = get_args(ClientFrame)
        frames = {model.model_fields["type"].annotation: set(model.model_fields) for model in get_args(union)}
        wanted = {get_args(kind)[0]: fields - {"type"} for kind, fields in frames.items()}
        table = rows(section(PAGE, "## What a client sends"))
        assert {row[0].strip("`"): set(re.findall(r"`(\w+)`", row[1])) for row in table} == wanted

    def test_is_refused_with_the_fields_that_are_described(self) -> None:
        listed = {row[0].strip("`") for row in rows(section(PAGE, "## Refusals"))}
        assert listed == set(FrameError.model_fields) - {"type"}

    def test_closes_with_codes_that_are_described(self) -> None:
        listed = {int(row[0]) for row in rows(section(PAGE, "## Closing codes"))}
        ours = {
            consumers.BROKEN,
            consumers.SIGNED_OUT,
            consumers.IDLE,
            consumers.TOO_LARGE,
            consumers.TOO_MANY,
        }
        assert listed == ours | {1012, 4403}
        assert SOCKET_MAX_FRAME_BYTES == 128 * 1024
        assert "128 KiB" in PAGE
