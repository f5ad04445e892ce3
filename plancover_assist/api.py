"""The HTTP API as a whole: its routers, the one shape of its errors, and its description without a CDN."""

import json
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from chat.api import router as chat_router
from chat.markup import render_answer
from chat.schemas import error_body
from plancover_assist.errors import AssistError, BadInput, NotFound, TooLarge

DESCRIPTION = """Ask about employer health cover and follow the answer as it is written.

Calls carry the session cookie and, for writes, the CSRF token in `X-CSRFToken`. Errors before the first byte
are `{"error": {"code", "message", "field", "retry_after"}}` with the matching status."""

api = NinjaAPI(title="PlanCover Assist", version="1", description=DESCRIPTION, docs_url=None)
api.add_router("", chat_router)


@api.exception_handler(AssistError)
def refuse(request: HttpRequest, error: AssistError) -> HttpResponse:
    """The one renderer of errors: every refusal of the API has this shape."""
    body = error_body(error).model_dump(exclude_none=True)
    response = api.create_response(request, body, status=error.status)
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


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
