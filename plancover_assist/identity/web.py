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
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def caller_of(request: HttpRequest) -> AuthContext:
    """Return who sent this request.

    A signed-out browser gets a key of its own, and with it a row of the session store, with the first thing
    it sends; one that only reads is nobody, so that crawlers and probes leave nothing behind.
    """
    if request.method not in SAFE_METHODS and not request.user.is_authenticated:
        _ensure_key(request.session)
    return auth_context(request.user, visitor_key=request.session.get(VISITOR_KEY, ""))


def _ensure_key(session: SessionBase) -> None:
    if VISITOR_KEY not in session:
        session[VISITOR_KEY] = secrets.token_urlsafe(24)


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
