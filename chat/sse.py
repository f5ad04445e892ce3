"""Server-sent events: the encoder, and the response that carries a turn's events.

One record a turn event: its number as `id`, its type as `event`, its JSON as `data`. It must not check who
asks: everything that can be refused is refused before a response is built, while a status can still say so.
"""

from collections.abc import AsyncIterator

from django.http import StreamingHttpResponse

from chat.turn.events import Event, Heartbeat

HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def encode_event(event: Event | Heartbeat) -> bytes:
    """Return the record of one event; a heartbeat has no number and must not move a client's cursor."""
    number = None if isinstance(event, Heartbeat) else event.seq
    return encode(data=event.model_dump_json(), event=event.type, number=number)


def encode(*, data: str, event: str, number: int | None) -> bytes:
    """Return one record. Line breaks in `data` become further data lines, so no text can forge a record."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = "" if number is None else f"id: {number}\n"
    body = "".join(f"data: {line}\n" for line in lines)
    return f"{head}event: {event}\n{body}\n".encode()


def stream_response(records: AsyncIterator[bytes]) -> StreamingHttpResponse:
    """Wrap an async iterator of records; a sync one would be collected whole before the first byte."""
    response = StreamingHttpResponse(records, content_type="text/event-stream; charset=utf-8")
    for name, value in HEADERS.items():
        response[name] = value
    return response
