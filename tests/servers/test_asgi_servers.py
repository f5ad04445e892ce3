"""Both ASGI servers carry the product alike: socket, stream, form and static files over real connections."""

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from plancover_assist import embedded
from tests.conftest import PACE_MS
from tests.product import DAPHNE, UVICORN, Product, serve

pytestmark = pytest.mark.process

QUESTION = "How does cashless treatment work, step by step?"


@pytest.fixture(scope="module", params=[DAPHNE, UVICORN], ids=["daphne", "uvicorn"])
def running(request: pytest.FixtureRequest, servers: embedded.Endpoints) -> Iterator[Product]:
    if request.param is DAPHNE:
        yield request.getfixturevalue("product")
        return
    with serve(request.param, servers, pace_ms=PACE_MS) as product:
        yield product


class Visitor:
    """A signed-out browser that has seen the first page; and introduced itself."""

    def __init__(self, product: Product) -> None:
        self.product = product
        page = product.exchange(f"GET / HTTP/1.0\nHost: 127.0.0.1:{product.port}\n\n")
        self.cookies = "; ".join(re.findall(r"(?im)^set-cookie: ([^;]+)", page))
        token = re.search(r"csrftoken=([^;]+)", self.cookies)
        assert token is not None
        self.token = token[1]
        introduced = self.post("/visit/", {}, "*/*")
        self.cookies += "; " + "; ".join(re.findall(r"(?im)^set-cookie: ([^;]+)", introduced))

    def socket(self, origin: str = "") -> ClientConnection:
        return connect(
            f"ws://127.0.0.1:{self.product.port}/ws/chat/",
            origin=Origin(origin or self.product.url),
            additional_headers={"Cookie": self.cookies},
        )

    def post(self, path: str, body: dict[str, Any], accept: str) -> str:
        text = json.dumps(body)
        return self.product.exchange(
            f"POST {path} HTTP/1.0\nHost: 127.0.0.1:{self.product.port}\nCookie: {self.cookies}\n"
            f"X-CSRFToken: {self.token}\nAccept: {accept}\nContent-Type: application/json\n"
            f"Content-Length: {len(text)}\n\n{text}"
        )


@pytest.fixture
def visitor(running: Product) -> Visitor:
    return Visitor(running)


def send_frame() -> str:
    ids = {"client_id": uuid.uuid4().hex, "conversation_id": uuid.uuid4().hex}
    return json.dumps({"type": "send", "text": QUESTION, **ids})


def read_until(socket: ClientConnection, *types: str) -> list[dict[str, Any]]:
    events = [json.loads(socket.recv(timeout=60))]
    while events[-1]["type"] not in types:
        events.append(json.loads(socket.recv(timeout=60)))
    return events


def chat_body() -> dict[str, Any]:
    ids = {"client_id": uuid.uuid4().hex, "conversation_id": uuid.uuid4().hex, "channel": "api"}
    return {**ids, "message": {"role": "user", "content": QUESTION}}


class TestServer:
    def test_carries_a_turn_over_the_socket(self, visitor: Visitor) -> None:
        with visitor.socket() as socket:
            socket.send(send_frame())
            events = read_until(socket, "final", "error")
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        text = "".join(event["text"] for event in events if event["type"] == "delta")
        assert text == events[-1]["answer"]
        assert events[-1]["action"] == "answered"

    def test_hears_a_stop_while_an_answer_streams(self, visitor: Visitor) -> None:
        with visitor.socket() as socket:
            socket.send(send_frame())
            turn_id = read_until(socket, "delta")[0]["turn_id"]
            socket.send(json.dumps({"type": "stop", "turn_id": turn_id}))
            final = read_until(socket, "final")[-1]
        assert (final["action"], final["incomplete"]) == ("stopped", True)

    def test_lets_a_second_socket_go_on_where_the_first_was_cut(self, visitor: Visitor) -> None:
        with visitor.socket() as socket:
            socket.send(send_frame())
            first = read_until(socket, "delta")
        cursor = {"turn_id": first[0]["turn_id"], "after": first[-1]["seq"]}
        with visitor.socket() as socket:
            socket.send(json.dumps({"type": "watch", **cursor}))
            rest = read_until(socket, "final", "error")
        whole = [*first, *rest]
        assert [event["seq"] for event in whole] == list(range(1, len(whole) + 1))
        assert "".join(e["text"] for e in whole if e["type"] == "delta") == whole[-1]["answer"]

    def test_refuses_sockets_of_another_origin(self, visitor: Visitor) -> None:
        with pytest.raises(InvalidStatus) as refused, visitor.socket("https://evil.example"):
            pass
        assert refused.value.response.status_code == 403

    def test_answers_as_json(self, visitor: Visitor) -> None:
        head, _, body = visitor.post("/api/chat", chat_body(), "application/json").partition("\r\n\r\n")
        assert " 200 " in head.splitlines()[0]
        assert json.loads(body)["type"] == "final"

    def test_streams_over_plain_http(self, visitor: Visitor) -> None:
        head, _, body = visitor.post("/api/chat", chat_body(), "text/event-stream").partition("\r\n\r\n")
        assert "text/event-stream" in head.lower()
        assert "x-accel-buffering: no" in head.lower()
        data = [line.removeprefix("data: ") for line in body.splitlines() if line.startswith("data: ")]
        assert json.loads(data[-1])["type"] == "final"

    def test_refuses_before_the_stream_begins(self, visitor: Visitor) -> None:
        body = chat_body() | {"message": {"role": "user", "content": ""}}
        answer = visitor.post("/api/chat", body, "text/event-stream")
        assert " 422 " in answer.splitlines()[0]
        assert '"message_empty"' in answer

    def test_serves_the_pages_script(self, running: Product) -> None:
        head = running.exchange("GET /static/chat/page.js HTTP/1.0\nHost: 127.0.0.1\n\n").partition(
            "\r\n\r\n"
        )[0]
        assert " 200 " in head.splitlines()[0]
        assert "javascript" in head.lower()


class TestAServerThatEnds:
    def test_tells_its_sockets_to_come_back_where_it_can(self, servers: embedded.Endpoints) -> None:
        """uvicorn does; daphne drops the line, which the page takes for the same."""
        with ExitStack() as stack, serve(UVICORN, servers, pace_ms=PACE_MS) as product:
            socket = stack.enter_context(Visitor(product).socket())
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
