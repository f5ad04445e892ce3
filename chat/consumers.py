"""The chat's socket: reads frames, starts and stops turns, and passes their events on.

Channels awaits one frame's handler before it reads the next, so nothing here waits for a turn: each watched
turn has a task of its own, and a stop is read while an answer streams. It must not hold rules about turns.
"""

import asyncio
import logging
import time
from contextlib import aclosing
from typing import Any
from uuid import UUID, uuid4

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from chat import announcements, delivery
from chat.pages import refusal_words
from chat.schemas import (
    ClientFrame,
    FrameError,
    PingFrame,
    Pong,
    SendFrame,
    StopFrame,
    WatchFrame,
    parse_frame,
)
from chat.turn import service
from plancover_assist import db
from plancover_assist.errors import AssistError, MalformedFrame, RateLimited
from plancover_assist.identity.context import AuthContext
from plancover_assist.identity.web import caller_of_session
from plancover_assist.settings.bounds import SOCKET_MAX_FRAME_BYTES

# The closing codes of the wire contract that this sends; a page reconnects after BROKEN as after a lost line.
BROKEN, SIGNED_OUT, IDLE, TOO_LARGE, TOO_MANY = 1011, 4401, 4408, 4413, 4429
MAX_WATCHED = 8  # turns one socket follows at once; a page follows one
MAX_FRAMES_PER_MINUTE = 240  # far above what hands can do, far below what a loop does
CHECK_SECONDS = 60.0  # how often an open socket's session is looked at without a frame

logger = logging.getLogger(__name__)


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels carries no types
    """One browser tab. `auth` is who it belonged to when it was opened."""

    channel_layer_alias = "none"  # a layer that is down must not take the socket with it; see `_listen`

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Live as long as the connection, and leave no task behind however it ends."""
        self.name = uuid4().hex
        self.watched: dict[UUID, asyncio.Task[None]] = {}
        self.upkeep: list[asyncio.Task[None]] = []
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._let_go()

    async def connect(self) -> None:
        """Accept first: a closing code reaches the page only on an accepted socket."""
        await self.accept()
        self.session_key: str = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        self.frames: list[float] = []
        self.last_act = time.monotonic()
        self.auth: AuthContext | None = await db.call(caller_of_session, self.session_key)
        if self.auth is None:
            await self.close(SIGNED_OUT)
            return
        self.upkeep = [
            asyncio.create_task(self._keep_guard()),
            asyncio.create_task(self._listen(self.auth)),
        ]

    async def _let_go(self) -> None:
        """Stop watching. The turns themselves go on: the engine decides what a turn without watchers does."""
        tasks = [*self.watched.values(), *self.upkeep]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        size = len(bytes_data or b"") if text_data is None else len(text_data.encode())
        if size > SOCKET_MAX_FRAME_BYTES:
            await self.close(TOO_LARGE)
        elif not self._within_pace():
            await self.close(TOO_MANY)
        else:
            await self._handle(text_data)

    async def _handle(self, text: str | None) -> None:
        frame: ClientFrame | None = None
        try:
            if text is None:
                raise MalformedFrame
            frame = parse_frame(text)
            await self._act_on(frame)
        except AssistError as error:
            await self._refuse(error, frame)

    async def _act_on(self, frame: ClientFrame) -> None:
        if isinstance(frame, PingFrame):
            await self.send(Pong().model_dump_json())
            return
        self.last_act = time.monotonic()
        auth = await self._recheck()
        if auth is None:
            await self.close(SIGNED_OUT)
        elif isinstance(frame, SendFrame):
            await self._send(auth, frame)
        elif isinstance(frame, WatchFrame):
            self._watch(auth, frame.turn_id, frame.after)
        elif isinstance(frame, StopFrame):
            await service.stop(auth, frame.turn_id)

    async def _send(self, auth: AuthContext, frame: SendFrame) -> None:
        message = service.Send(
            conversation_id=frame.conversation_id,
            client_id=frame.client_id,
            channel="web",
            text=frame.text,
            locale=frame.locale,
        )
        started = await delivery.begin(auth, message, origin=self.name)
        self._watch(auth, started.turn_id, 0)

    def _watch(self, auth: AuthContext, turn_id: UUID, after: int) -> None:
        """Follow a turn in a task of its own; asking again moves the cursor."""
        earlier = self.watched.pop(turn_id, None)
        if earlier is not None:
            earlier.cancel()
        if len(self.watched) >= MAX_WATCHED:
            raise RateLimited
        self.watched[turn_id] = asyncio.create_task(self._pass_on(auth, turn_id, after))

    async def _pass_on(self, auth: AuthContext, turn_id: UUID, after: int) -> None:
        try:
            async with aclosing(delivery.follow(auth, turn_id, after=after)) as events:
                async for event in events:
                    await self.send(event.model_dump_json())
        except AssistError as error:
            await self._refuse(error, WatchFrame(type="watch", turn_id=turn_id))
        except Exception:
            logger.exception("a watched turn could not be passed on; the page is to come back for it")
            await self.close(BROKEN)
        finally:
            if self.watched.get(turn_id) is asyncio.current_task():
                del self.watched[turn_id]

    async def _refuse(self, error: AssistError, frame: ClientFrame | None) -> None:
        refusal = FrameError(
            code=error.code,
            message=self._in_words(error, frame),
            field=error.field,
            retry_after=error.retry_after,
            client_id=frame.client_id if isinstance(frame, SendFrame) else None,
            turn_id=str(frame.turn_id) if isinstance(frame, WatchFrame | StopFrame) else None,
        )
        await self.send(refusal.model_dump_json(exclude_none=True))

    def _in_words(self, error: AssistError, frame: ClientFrame | None) -> str:
        language = frame.locale if isinstance(frame, SendFrame) else ""
        with translation.override(language or settings.LANGUAGE_CODE):
            return refusal_words(error)

    async def _listen(self, auth: AuthContext) -> None:
        """Tell of the turns that the same person's other tabs set to work; the page decides."""
        async with aclosing(announcements.hear(auth, me=self.name)) as turns:
            async for turn in turns:
                await self._tell_of(auth, turn)

    async def _tell_of(self, auth: AuthContext, turn: announcements.Announced) -> None:
        """Pass on the first event of the turn's newest attempt. One that fails takes no later one with it."""
        if turn.turn_id in self.watched:
            return
        try:
            async with aclosing(delivery.follow(auth, turn.turn_id, after=turn.after)) as events:
                async for event in events:
                    await self.send(event.model_dump_json())
                    break
        except Exception:
            logger.exception("a page was not told of a turn in another tab")

    async def _recheck(self) -> AuthContext | None:
        """Return who the session belongs to now, or None when that is no longer who opened the socket."""
        fresh = await db.call(caller_of_session, self.session_key)
        if fresh is None or self.auth is None:
            return None
        same = (fresh.user_id, fresh.visitor_key) == (self.auth.user_id, self.auth.visitor_key)
        return fresh if same else None

    async def _keep_guard(self) -> None:
        """Close a socket that is left alone or whose session has ended."""
        while True:
            await asyncio.sleep(min(CHECK_SECONDS, settings.SOCKET_IDLE_SECONDS))
            try:
                code = await self._reason_to_close()
            except Exception:
                logger.exception("an open socket could not be checked; the next look decides")
                continue
            if code is not None:
                await self.close(code)
                return

    async def _reason_to_close(self) -> int | None:
        if await self._recheck() is None:
            return SIGNED_OUT
        idle = not self.watched and time.monotonic() - self.last_act >= settings.SOCKET_IDLE_SECONDS
        return IDLE if idle else None

    def _within_pace(self) -> bool:
        now = time.monotonic()
        self.frames = [at for at in self.frames if now - at < 60.0] + [now]
        return len(self.frames) <= MAX_FRAMES_PER_MINUTE
