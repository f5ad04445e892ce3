"""The ASGI application: pages and API over HTTP, the chat over its socket. Any ASGI server can run it.

Not every server announces its start (daphne does not), so what runs in the background of a web process
begins with the first connection of the running loop. Nothing here may import a model provider or torch.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

from django.core.asgi import get_asgi_application

from plancover_assist.settings.soundness import require_sound_settings

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class WithBackground:
    """Starts the process' background work once, and answers servers that do announce their start and end."""

    def __init__(self, application: Application, background: Callable[[], Awaitable[None]]) -> None:
        self._application = application
        self._background = background
        self._running: asyncio.Future[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._background())
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self._application(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._end_background()
        await send({"type": "lifespan.shutdown.complete"})

    async def _end_background(self) -> None:
        """Cancel it and wait: it has things of its own to close."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})


def build_application() -> WithBackground:
    """Set Django up, then import what needs its apps; raises `Misconfigured` for settings without sense."""
    pages_and_api = get_asgi_application()
    require_sound_settings()
    from channels.routing import ProtocolTypeRouter, URLRouter
    from channels.security.websocket import OriginValidator
    from channels.sessions import CookieMiddleware
    from django.conf import settings

    from chat.background import run_background
    from chat.routing import websocket_urlpatterns

    # Whole origins: a host name alone would let another port or scheme of the same host open a socket. Only
    # the cookie is read here; the consumer reads the session itself, afresh for every frame that acts.
    sockets = OriginValidator(
        CookieMiddleware(URLRouter(websocket_urlpatterns)), allowed_origins=settings.ALLOWED_ORIGINS
    )
    router = ProtocolTypeRouter({"http": pages_and_api, "websocket": sockets})
    return WithBackground(router, run_background)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plancover_assist.settings.base")
application = build_application()
