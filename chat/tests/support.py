"""Browsers and an engine for the tests of pages, API and socket."""

import secrets
from typing import Any

from django.test import AsyncClient

from chat.models import Message, Turn
from chat.turn import engine as engines
from chat.turn.engine import Engine
from chat.turn.tests.support import make_engine
from plancover_assist import db
from plancover_assist.identity.models import User
from plancover_assist.identity.tests.factories import UserFactory


def install(**options: Any) -> Engine:
    """Put an engine with scripted gateways into the running loop."""
    engine = make_engine(*options.pop("script", ()), **options)
    engines.install(engine)
    return engine


async def sign_in(user: User | None = None) -> tuple[AsyncClient, User]:
    """Return a signed-in browser and who it belongs to."""
    if user is None:
        user = await db.call(UserFactory.create)
    browser = AsyncClient()
    await browser.aforce_login(user)
    return browser, user


async def visit() -> AsyncClient:
    """Return the browser of a visitor whose page has introduced itself."""
    browser = AsyncClient()
    await browser.post("/visit/")
    return browser


def chat_body(text: str = "What is the cataract limit per eye?", **changes: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "conversation_id": f"t-{secrets.token_hex(8)}",
        "client_id": secrets.token_hex(8),
        "channel": "api",
        "message": {"role": "user", "content": text},
        "history": [],
        "client": {"locale": "en-IN", "timezone": "Asia/Kolkata"},
    }
    return body | changes


async def count_turns() -> int:
    return await db.call(Turn.objects.count)


async def stored_answer(turn_id: str) -> str:
    row = await db.call(Message.objects.get, turn_id=turn_id, author=Message.Author.ASSISTANT)
    return row.text
