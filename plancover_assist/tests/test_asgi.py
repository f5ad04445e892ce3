"""What stands before the product: foreign origins stay out, and background work begins once."""

import asyncio
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings

from plancover_assist.asgi import WithBackground, application


async def connects(origin: str | None) -> bool:
    headers = [] if origin is None else [(b"origin", origin.encode())]
    socket = WebsocketCommunicator(application._application, "/ws/chat/", headers=headers)
    connected, _ = await socket.connect(timeout=5)
    await socket.disconnect()
    return bool(connected)


class TestOrigin:
    @pytest.mark.django_db(transaction=True)
    async def test_of_our_own_opens_a_socket(self) -> None:
        assert await connects(settings.ALLOWED_ORIGINS[0])

    @pytest.mark.parametrize(
        "origin", [None, "https://evil.example", f"http://127.0.0.1:{settings.PORT + 1}", "http://127.0.0.1"]
    )
    async def test_of_anybody_else_does_not_even_on_the_same_host(self, origin: str | None) -> None:
        assert not await connects(origin)

    async def test_in_another_scheme_does_not(self) -> None:
        assert not await connects(settings.ALLOWED_ORIGINS[0].replace("http://", "https://"))


class TestBackground:
    @staticmethod
    async def serve(wrapped: WithBackground, kind: str = "http") -> None:
        async def receive() -> dict[str, Any]:
            return {"type": f"{kind}.request"}

        async def send(_message: dict[str, Any]) -> None:
            await asyncio.sleep(0)

        await wrapped({"type": kind}, receive, send)

    async def test_begins_with_the_first_connection_and_only_once(self) -> None:
        begun: list[int] = []

        async def background() -> None:
            begun.append(1)
            await asyncio.sleep(30)

        async def app(*_args: Any) -> None:
            await asyncio.sleep(0)

        wrapped = WithBackground(app, background)
        await self.serve(wrapped)
        await self.serve(wrapped)
        assert begun == [1]

    async def test_answers_servers_that_announce_their_start_and_end(self) -> None:
        ended: list[bool] = []

        async def background() -> None:
            try:
                await asyncio.sleep(30)
            finally:
                await asyncio.sleep(0.01)  # as what closes connections does
                ended.append(True)

        async def app(*_args: Any) -> None:
            raise AssertionError("lifespan is not the product's business")

        inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        sent: list[str] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message["type"])
            await asyncio.sleep(0)

        await inbox.put({"type": "lifespan.startup"})
        await inbox.put({"type": "lifespan.shutdown"})
        await WithBackground(app, background)({"type": "lifespan"}, inbox.get, send)
        assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        assert ended == [True]
