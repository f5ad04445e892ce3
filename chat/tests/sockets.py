"""Sockets for tests: opened as a browser does, with frames and events as the wire has them."""

import uuid
from typing import Any

from channels.sessions import CookieMiddleware
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient

from chat.consumers import ChatConsumer


async def open_socket(browser: AsyncClient) -> WebsocketCommunicator:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    socket = WebsocketCommunicator(
        CookieMiddleware(ChatConsumer.as_asgi()), "/ws/chat/", headers=[(b"cookie", cookies.encode())]
    )
    connected, _ = await socket.connect()
    assert connected
    return socket


def send_frame(text: str = "What is the cataract limit per eye?", **changes: str) -> dict[str, str]:
    frame = {"type": "send", "client_id": uuid.uuid4().hex, "conversation_id": uuid.uuid4().hex, "text": text}
    return frame | changes


async def events_until(socket: WebsocketCommunicator, *types: str) -> list[dict[str, Any]]:
    events = [await socket.receive_json_from(timeout=5)]
    while events[-1]["type"] not in types:
        events.append(await socket.receive_json_from(timeout=5))
    return events


async def closing_code(socket: WebsocketCommunicator) -> int:
    message = await socket.receive_output(timeout=5)
    assert message["type"] == "websocket.close"
    await socket.disconnect()  # as a server tells the application in the end
    code: int = message["code"]
    return code
