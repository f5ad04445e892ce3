"""The chat over HTTP: JSON or server-sent events by `Accept`.

Everything that can be refused is refused before a response is built; after the first byte only an `error`
event can tell. The operations must not hold rules about turns.
"""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Literal
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router, Status
from ninja.utils import check_csrf

from chat import delivery, selectors, sse
from chat.schemas import Accepted, ChatRequest, ErrorBody, ResumeRequest, StopRequest, TerminalEvent
from chat.turn import service
from chat.turn.state import Utterance
from plancover_assist import db
from plancover_assist.errors import CsrfFailed, DependencyUnavailable
from plancover_assist.identity.context import AuthContext
from plancover_assist.identity.web import SAFE_METHODS, caller_of

EVENT_STREAM = "text/event-stream"
View = Annotated[
    Literal["", "trace"], Query(description="For staff: `trace` events, of which there are none yet.")
]
REFUSALS = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429), ErrorBody)
STREAMED = {
    "responses": {
        200: {
            "description": "The terminal event; as a stream, every event up to it (see docs/events.md).",
            "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
        }
    }
}


async def caller(request: HttpRequest) -> AuthContext:
    """Return who calls, signed in or not. Raises `CsrfFailed` for a write without its token."""
    # Off the event loop: a refusal is rendered as a page before we drop it, and that reads the session.
    if request.method not in SAFE_METHODS and await db.call(check_csrf, request) is not None:
        raise CsrfFailed
    return await db.call(caller_of, request)


router = Router(auth=caller, tags=["chat"])


@router.post("/chat", response={200: TerminalEvent, **REFUSALS}, openapi_extra=STREAMED, summary="Ask")
async def post_chat(request: HttpRequest, body: ChatRequest, view: View = "") -> HttpResponseBase:
    """Ask one question. The same `client_id` twice is one message and one turn."""
    auth = _auth(request)
    message = service.Send(
        conversation_id=body.conversation_id,
        client_id=body.client_id,
        channel=body.channel,
        text=body.message.content,
        history=tuple(Utterance(role=said.role, content=said.content) for said in body.history),
        locale=body.client.locale,
    )
    started = await delivery.begin(auth, message)
    return await _answer(request, auth, started.turn_id, after=0, trace=_may_trace(auth, view))


@router.post(
    "/chat/resume", response={200: TerminalEvent, **REFUSALS}, openapi_extra=STREAMED, summary="Carry on"
)
async def post_resume(request: HttpRequest, body: ResumeRequest, view: View = "") -> HttpResponseBase:
    """Carry on an interrupted turn from its last saved step, as a new attempt."""
    auth = _auth(request)
    cursor = await delivery.resume(auth, body.turn_id)
    return await _answer(request, auth, body.turn_id, after=cursor, trace=_may_trace(auth, view))


@router.post("/chat/stop", response={202: Accepted, **REFUSALS}, summary="Stop")
async def post_stop(request: HttpRequest, body: StopRequest) -> Status[Accepted]:
    """Stop a running turn. Its text so far is kept and the turn ends in `final` with `incomplete`."""
    await service.stop(_auth(request), body.turn_id)
    return Status(202, Accepted(turn_id=body.turn_id))


@router.get(
    "/chat/turns/{turn_id}/events",
    response={200: None, **REFUSALS},
    openapi_extra=STREAMED,
    summary="Follow",
)
async def get_events(
    request: HttpRequest, turn_id: UUID, after: Annotated[int, Query(ge=0)] = 0, view: View = ""
) -> HttpResponseBase:
    """Follow a turn from the event after `after`. A cursor that has expired gets the terminal event."""
    auth = _auth(request)
    await db.call(selectors.get_turn, auth, turn_id)
    return sse.stream_response(_records(auth, turn_id, after=after, trace=_may_trace(auth, view)))


def _auth(request: HttpRequest) -> AuthContext:
    auth: AuthContext = request.auth  # type: ignore[attr-defined]  # ninja puts `caller`'s result there
    return auth


def _may_trace(auth: AuthContext, view: str) -> bool:
    return view == "trace" and (auth.is_staff or settings.DEBUG)


async def _answer(
    request: HttpRequest, auth: AuthContext, turn_id: UUID, *, after: int, trace: bool
) -> HttpResponseBase:
    if request.get_preferred_type(["application/json", EVENT_STREAM]) == EVENT_STREAM:
        return sse.stream_response(_records(auth, turn_id, after=after, trace=trace))
    terminal = await delivery.wait_for_end(auth, turn_id, after=after)
    if terminal is None:
        raise DependencyUnavailable
    return HttpResponse(terminal.model_dump_json(), content_type="application/json")


async def _records(auth: AuthContext, turn_id: UUID, *, after: int, trace: bool) -> AsyncIterator[bytes]:
    async with aclosing(delivery.follow(auth, turn_id, after=after, trace=trace)) as events:
        async for event in events:
            yield sse.encode_event(event)
