"""How `make run` waits for its web process, and when it stops waiting."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import JsonResponse

from plancover_assist import health
from plancover_assist.embedded.account import Account
from plancover_assist.embedded.children import Child, start_child
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.run import wait_until_ready


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Child]:
    """A process that lives and serves nothing; what answers on the port is the test's own."""
    child = start_child(
        "The web process",
        [sys.executable, "-c", "import time; time.sleep(60)"],
        folder=tmp_path,
        log=tmp_path / "web.log",
        keeper=Account(os.geteuid(), os.getegid()),
    )
    yield child
    child.stop()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def answer_each(listener: socket.socket, *answers: JsonResponse) -> int:
    """Give these answers to the next requests, one each; return the port."""

    def serve() -> None:
        for answer in answers:
            caller, _ = listener.accept()
            with caller:
                caller.recv(4096)
                head = f"HTTP/1.0 {answer.status_code} Whatever\r\n\r\n"
                caller.sendall(head.encode() + answer.content)

    threading.Thread(target=serve, daemon=True).start()
    return int(listener.getsockname()[1])


NOT_YET = JsonResponse({"status": health.NOT_READY}, status=503)


class TestWaitingUntilReady:
    def test_goes_on_until_the_process_says_so(self, web: Child, listener: socket.socket) -> None:
        ready = JsonResponse({"status": health.READY})
        wait_until_ready(web, answer_each(listener, NOT_YET, NOT_YET, ready))

    def test_ends_at_once_with_a_sentence_when_the_process_refuses(
        self, web: Child, listener: socket.socket
    ) -> None:
        refused = JsonResponse({"status": health.REFUSED}, status=503)
        with pytest.raises(EmbeddedError, match="another encoder") as caught:
            wait_until_ready(web, answer_each(listener, NOT_YET, refused))
        assert "\n" not in caught.value.message
        assert "reindex" in caught.value.message

    def test_ends_when_the_process_has_ended(self, web: Child, listener: socket.socket) -> None:
        web.stop()
        with pytest.raises(EmbeddedError, match="ended with code"):
            wait_until_ready(web, answer_each(listener, NOT_YET))
