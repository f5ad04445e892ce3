"""Records survive any text and any cut on the way; only numbered events move a client's cursor."""

import re
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from chat import sse
from chat.turn.events import Delta, Heartbeat


def decode(stream: bytes) -> list[dict[str, str]]:
    """Read a whole stream the way the standard says a client must."""
    records: list[dict[str, str]] = []
    fields: dict[str, str] = {}
    for line in re.split(r"\r\n|\n|\r", stream.decode()):
        if not line:
            if fields:
                records.append(fields)
            fields = {}
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        fields[name] = f"{fields['data']}\n{value}" if name == "data" and "data" in fields else value
    return records


def delta(text: str, seq: int = 3) -> Delta:
    return Delta(turn_id="t", seq=seq, attempt=1, at="2026-11-30T10:00:00Z", text=text)


class TestEncoder:
    @given(st.lists(st.text(), min_size=1, max_size=5))
    def test_carries_any_text_unchanged(self, texts: list[str]) -> None:
        events = [delta(text, seq) for seq, text in enumerate(texts, start=1)]
        records = decode(b"".join(map(sse.encode_event, events)))
        assert [Delta.model_validate_json(record["data"]) for record in records] == events
        assert [record["id"] for record in records] == [str(event.seq) for event in events]

    @given(st.text(st.characters(exclude_categories=["Cs"])))
    def test_lets_no_text_forge_a_record(self, data: str) -> None:
        records = decode(sse.encode(data=data, event="delta", number=1))
        assert len(records) == 1
        assert records[0]["event"] == "delta"

    def test_names_number_type_and_data_in_that_order(self) -> None:
        assert re.fullmatch(rb"id: 3\nevent: delta\ndata: \{.*\}\n\n", sse.encode_event(delta("x")))

    def test_gives_a_heartbeat_no_number(self) -> None:
        assert b"id:" not in sse.encode_event(Heartbeat(turn_id="t"))


class TestResponse:
    def test_forbids_caching_and_buffering_on_the_way(self) -> None:
        async def records() -> AsyncIterator[bytes]:
            yield sse.encode_event(delta("x"))

        response = sse.stream_response(records())
        assert response["Content-Type"].startswith("text/event-stream")
        assert response["Cache-Control"] == "no-cache"
        assert response["X-Accel-Buffering"] == "no"
