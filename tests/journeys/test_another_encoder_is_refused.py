"""An index made by another encoder than the one loaded: no process serves it, and each says why."""

import asyncio
import json
from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from channels.testing import ApplicationCommunicator
from django.core.management import CommandError, call_command

from plancover_assist import db
from plancover_assist.asgi import WithBackground, build_application
from plancover_assist.embedding.factory import get_embedder
from retrieval.tests.papers import index, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of one paper, indexed by an encoder that the product does not have."""
    write(tmp_path, "A-1", "# Title\n\nSome text.")
    index(tmp_path)
    return tmp_path


@pytest.fixture
async def application() -> AsyncIterator[WithBackground]:
    """A web process' application, with its background work, as a server runs it."""
    built = build_application()
    yield built
    assert built._running is not None
    built._running.cancel()
    await asyncio.wait([built._running])


async def ask_ready(application: WithBackground) -> tuple[int, dict[str, Any]]:
    """Ask /readyz; return the status and the body."""
    scope = {"type": "http", "method": "GET", "path": "/readyz", "query_string": b"", "headers": []}
    request = ApplicationCommunicator(application, scope | {"headers": [(b"host", b"127.0.0.1")]})
    await request.send_input({"type": "http.request", "body": b""})
    head, body = await request.receive_output(30), await request.receive_output(30)
    return head["status"], json.loads(body["body"])


class TestAWebProcess:
    async def test_does_not_become_ready_and_says_why(
        self, corpus: Path, application: WithBackground, caplog: pytest.LogCaptureFixture
    ) -> None:
        status, body = await ask_ready(application)
        assert (status, body["status"]) == (503, "refused")
        assert (body["parts"]["index"], body["parts"]["encoder"]) == ("ok", "mismatch")
        assert "words@1" not in json.dumps(body)
        while "made by words@1" not in caplog.text:  # noqa: ASYNC110 - the log has no event to wait for
            await asyncio.sleep(0.01)

    async def test_becomes_ready_once_the_index_is_made_anew(
        self, corpus: Path, application: WithBackground
    ) -> None:
        assert (await ask_ready(application))[0] == 503
        await db.call(index, corpus, get_embedder())
        assert (await ask_ready(application))[0] == 200


class TestTheCommandLine:
    def test_refuses_to_ask_and_names_both_encoders(self, corpus: Path) -> None:
        with pytest.raises(CommandError, match=rf"words@1.+{get_embedder().model_id}.+reindex"):
            call_command("ask", "What is a deductible?", stdout=StringIO(), stderr=StringIO())
