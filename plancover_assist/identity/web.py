"""Who asks, read from a browser's session: for pages, API calls and sockets alike.

Sync functions: async code reaches them through `plancover_assist.db`. They must not decide what a caller
may do.
"""

import secrets
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from plancover_assist.identity.context import AuthContext, auth_context

VISITOR_KEY = "visitor_key"


def caller_of(request: HttpRequest) -> AuthContext:
    """Return who sent this request; a signed-out browser gets a key of its own with its first request."""
    return auth_context(request.user, visitor_key=_visitor_key(request.session))


def _visitor_key(session: SessionBase) -> str:
    if VISITOR_KEY not in session:
        session[VISITOR_KEY] = secrets.token_urlsafe(24)
    return str(session[VISITOR_KEY])


def caller_of_session(session_key: str) -> AuthContext | None:
    """Return who a session belongs to at this moment, or None when it has ended or never began.

    Reads the store afresh each time: a socket outlives sign-outs, changed passwords and locked accounts.
    """
    if not session_key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    caller = auth_context(get_user(request), visitor_key=request.session.get(VISITOR_KEY, ""))
    return caller if caller.signed_in or caller.visitor_key else None
