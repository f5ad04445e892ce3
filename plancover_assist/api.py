"""The HTTP API as a whole: its routers, the one shape of its errors, and its description without a CDN."""

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.http import require_GET
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from chat.api import router as chat_router
from chat.markup import render_answer
from chat.pages import refusal_words
from chat.schemas import error_body
from plancover_assist.errors import (
    AssistError,
    BadInput,
    DependencyUnavailable,
    MethodNotAllowed,
    NotAllowed,
    NotFound,
    TooLarge,
)

PREFIX = "/api/"
BY_STATUS: dict[int, type[AssistError]] = {
    403: NotAllowed,
    404: NotFound,
    405: MethodNotAllowed,
    413: TooLarge,
}
logger = logging.getLogger(__name__)

DESCRIPTION = """Ask about employer health cover and follow the answer as it is written.

Calls carry the session cookie and, for writes, the CSRF token in `X-CSRFToken`. Errors before the first byte
are `{"error": {"code", "message", "field", "retry_after"}}` with the matching status."""

api = NinjaAPI(title="PlanCover Assist", version="1", description=DESCRIPTION, docs_url=None)
api.add_router("", chat_router)


@api.exception_handler(AssistError)
def refuse(request: HttpRequest, error: AssistError) -> HttpResponse:
    """The one renderer of errors: every refusal of the API has this shape."""
    response = api.create_response(request, _body(request, error), status=error.status)
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


def _body(request: HttpRequest, error: AssistError) -> dict[str, Any]:
    """The error in the caller's language: the page shows what it is told."""
    with translation.override(getattr(request, "LANGUAGE_CODE", None) or settings.LANGUAGE_CODE):
        return error_body(error, refusal_words(error)).model_dump(exclude_none=True)


@api.exception_handler(Exception)
def refuse_unforeseen(request: HttpRequest, error: Exception) -> HttpResponse:
    """A fault of ours: the log has all of it, the caller nothing but that it happened."""
    logger.error("an API call failed: %r", error, exc_info=error)
    return refuse(request, AssistError())


@api.exception_handler(OperationalError)
def refuse_while_database_is_away(request: HttpRequest, error: OperationalError) -> HttpResponse:
    """The same call may succeed a moment later, so the caller is told that much."""
    logger.warning("the database did not answer an API call: %s", type(error).__name__)
    return refuse(request, DependencyUnavailable())


@api.exception_handler(ValidationError)
def refuse_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Name the first field at fault, never its value."""
    place = [str(part) for part in error.errors[0].get("loc", ())] if error.errors else []
    names = [part for part in place if part not in {"body", "query", "path"}]
    return refuse(request, BadInput(field=".".join(names) or None))


@api.exception_handler(HttpError)
def refuse_unreadable(request: HttpRequest, _error: HttpError) -> HttpResponse:
    """A body that is no JSON."""
    return refuse(request, BadInput())


@api.exception_handler(RequestDataTooBig)
def refuse_too_large(request: HttpRequest, _error: RequestDataTooBig) -> HttpResponse:
    return refuse(request, TooLarge())


@api.exception_handler(Http404)
def refuse_unknown(request: HttpRequest, _error: Http404) -> HttpResponse:
    return refuse(request, NotFound())


Respond = Callable[[HttpRequest], HttpResponseBase]
RespondLater = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def errors_in_json(get_response: Respond | RespondLater) -> Respond | RespondLater:
    """Middleware: what Django and ninja refuse by themselves under `/api/` gets the shape of all errors."""
    if iscoroutinefunction(get_response):
        respond_later = cast("RespondLater", get_response)

        async def later(request: HttpRequest) -> HttpResponseBase:
            return _in_json(request, await respond_later(request))

        return later
    respond = cast("Respond", get_response)
    return lambda request: _in_json(request, respond(request))


def _in_json(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    foreign = request.path.startswith(PREFIX) and response.status_code >= 400
    if not foreign or not isinstance(response, HttpResponse) or "json" in response["Content-Type"]:
        return response
    fallback = AssistError if response.status_code >= 500 else BadInput
    error = BY_STATUS.get(response.status_code, fallback)()
    response.content = json.dumps(_body(request, error)).encode()
    response["Content-Type"] = "application/json; charset=utf-8"
    response["Content-Length"] = str(len(response.content))
    return response


def openapi_text() -> str:
    """Return the description as it is committed: sorted, so that a difference is a change."""
    return json.dumps(_schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _schema() -> dict[str, Any]:
    return dict(api.get_openapi_schema())


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """The description for people, rendered here: no script of anybody else's."""
    schema = _schema()
    operations = [
        {
            "method": method.upper(),
            "path": path,
            **operation,
            "about": render_answer(operation["description"], {}),
        }
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    about = render_answer(schema["info"]["description"], {})
    return render(request, "api/docs.html", {"about": about, "operations": operations})
