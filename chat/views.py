"""The chat's pages, for browsers with and without JavaScript. Rows are read in one bridge call a page.

A posted question waits at most `FORM_WAIT_SECONDS`; then the page refreshes itself, and each waiting
refresh counts as a watcher of the turn. Views must not hold rules about turns.
"""

import hashlib
from collections.abc import Callable, Coroutine
from functools import wraps
from http import HTTPStatus
from typing import Any, ParamSpec
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat import delivery, pages, selectors
from chat.presenters import present_transcript
from chat.turn import service
from plancover_assist import db
from plancover_assist.errors import AssistError, NotFound
from plancover_assist.identity.context import AuthContext
from plancover_assist.identity.web import caller_of

FORM_WAIT_SECONDS = 10.0  # fixed by the product's design: a browser without JavaScript waits no longer
TOUCH_SECONDS = 0.05  # long enough to count as a watcher, too short to be noticed

P = ParamSpec("P")
View = Callable[..., Coroutine[Any, Any, HttpResponse]]


def shows_errors(view: View) -> View:
    """Answer an anticipated error with a page in the member's words and the error's status."""

    @wraps(view)
    async def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return await view(request, *args, **kwargs)
        except AssistError as error:
            return await _on_bridge(request, _render_error, request, error)

    return wrapped


async def _on_bridge(
    request: HttpRequest, work: Callable[P, HttpResponse], *args: P.args, **kwargs: P.kwargs
) -> HttpResponse:
    """Render on the database bridge, in the language that was chosen: Django keeps that by thread."""

    def localised() -> HttpResponse:
        with translation.override(request.LANGUAGE_CODE):
            return work(*args, **kwargs)

    return await db.call(localised)


@require_GET
async def home(request: HttpRequest) -> HttpResponse:
    """A new conversation. Its name is made here; it is stored with its first question."""
    return await _on_bridge(request, _render_page, request, pages.new_conversation_id())


@require_POST
async def visit(request: HttpRequest) -> HttpResponse:
    """Give a visitor's browser the session that its socket needs; a page that is only read leaves none."""
    await db.call(caller_of, request)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@require_http_methods(["GET", "POST"])
@shows_errors
async def conversation(request: HttpRequest, conversation_id: str) -> HttpResponse:
    auth = await db.call(caller_of, request)
    if request.method == "POST":
        return await _take_question(request, auth, conversation_id)
    return await _show(request, auth, conversation_id)


async def _show(request: HttpRequest, auth: AuthContext, conversation_id: str) -> HttpResponse:
    running = await _find_running(auth, conversation_id)
    if running is not None:
        waits = FORM_WAIT_SECONDS if "wait" in request.GET else TOUCH_SECONDS
        await delivery.wait_for_end(auth, running, seconds=waits)
    return await _on_bridge(request, _render_page, request, conversation_id, known=True)


async def _find_running(auth: AuthContext, conversation_id: str) -> UUID | None:
    """Raises `NotFound` for an unknown conversation and for somebody else's alike."""

    def find() -> UUID | None:
        turn = selectors.find_running_turn(selectors.get_conversation(auth, conversation_id))
        return turn.pk if turn else None

    return await db.call(find)


async def _take_question(request: HttpRequest, auth: AuthContext, conversation_id: str) -> HttpResponse:
    # A form's line end is one character to whoever typed it, and is sent as two.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    message = service.Send(
        conversation_id=conversation_id,
        client_id=_form_client_id(request.POST.get("client_id", ""), text),
        channel="web",
        text=text,
        locale=request.LANGUAGE_CODE or "",
    )
    try:
        started = await delivery.begin(auth, message)
    except AssistError as error:
        return await _on_bridge(request, _render_page, request, conversation_id, draft=text, refusal=error)
    await delivery.wait_for_end(auth, started.turn_id, seconds=FORM_WAIT_SECONDS)
    return _see_latest(conversation_id)


def _form_client_id(token: str, text: str) -> str:
    """The same form sent twice is one question; another question on a page from the history is another."""
    seed = f"{token}\n{text}".encode()
    return "form-" + hashlib.sha256(seed).hexdigest()[:32]


@require_POST
@shows_errors
async def stop_turn(request: HttpRequest, conversation_id: str, turn_id: UUID) -> HttpResponse:
    auth = await db.call(caller_of, request)
    await service.stop(auth, turn_id)
    await delivery.wait_for_end(auth, turn_id, seconds=FORM_WAIT_SECONDS)
    return _see_latest(conversation_id)


@require_POST
@shows_errors
async def continue_turn(request: HttpRequest, conversation_id: str, turn_id: UUID) -> HttpResponse:
    auth = await db.call(caller_of, request)
    cursor = await delivery.resume(auth, turn_id)
    await delivery.wait_for_end(auth, turn_id, after=cursor, seconds=FORM_WAIT_SECONDS)
    return _see_latest(conversation_id)


def _see_latest(conversation_id: str) -> HttpResponse:
    url = reverse("conversation", args=[conversation_id]) + "#latest"
    return HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": url})


@require_GET
@shows_errors
async def turn_fragment(request: HttpRequest, conversation_id: str, turn_id: UUID) -> HttpResponse:
    """One turn as the page shows it; the script puts it in place of the text that streamed."""

    def build() -> HttpResponse:
        auth = caller_of(request)
        thread = selectors.get_conversation(auth, conversation_id)
        messages = selectors.list_messages(thread).select_related("turn__escalation").filter(turn_id=turn_id)
        days = present_transcript(messages)
        if not days:
            raise NotFound
        page = pages.present_page(auth, conversation_id, days=days)
        return _private(render(request, "chat/_turn.html", {"page": page, "turn": days[0].entries[0]}))

    return await _on_bridge(request, build)


@require_GET
@shows_errors
async def transcript_fragment(request: HttpRequest, conversation_id: str) -> HttpResponse:
    """The whole transcript again, for a page that was away."""
    return await _on_bridge(
        request, _render_page, request, conversation_id, known=True, template="chat/_transcript.html"
    )


def _render_page(
    request: HttpRequest,
    conversation_id: str,
    *,
    known: bool = False,
    draft: str = "",
    refusal: AssistError | None = None,
    template: str = "chat/page.html",
) -> HttpResponse:
    """Render a conversation from the database. Raises `NotFound` when it must be known and is not."""
    auth = caller_of(request)
    find = selectors.get_conversation if known else selectors.find_conversation
    thread = find(auth, conversation_id)
    messages = selectors.list_messages(thread).select_related("turn__escalation") if thread else []
    page = pages.present_page(
        auth,
        conversation_id,
        title=thread.title if thread else "",
        days=present_transcript(messages),
        threads=selectors.list_conversations(auth)[: pages.MAX_THREADS],
        draft=draft,
        notice=pages.refusal_words(refusal) if refusal else "",
    )
    return _private(render(request, template, {"page": page}, status=refusal.status if refusal else 200))


def _render_error(request: HttpRequest, error: AssistError) -> HttpResponse:
    return render(request, "error.html", {"message": pages.refusal_words(error)}, status=error.status)


def _private(response: HttpResponse) -> HttpResponse:
    """What was said is kept by no cache, and a page from the history is asked for again."""
    response["Cache-Control"] = "no-store, private"
    return response
