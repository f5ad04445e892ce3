"""What fails beside a socket neither ends in silence nor takes the socket's other work with it."""

import asyncio
import logging
import uuid

import pytest
from django.test import override_settings

from chat import delivery
from chat.tests.sockets import closing_code, events_until, open_socket, send_frame
from chat.tests.support import install, sign_in
from chat.turn.log.base import Entry
from chat.turn.log.in_process import InProcessLog
from chat.turn.tests.support import ScriptedModel, new_send
from plancover_assist.identity.context import auth_context

pytestmark = pytest.mark.django_db(transaction=True)


class FailingLog(InProcessLog):
    """A log whose reader fails as nobody foresaw, as often as it is told to."""

    def __init__(self, failures: int) -> None:
        super().__init__()
        self.failures = failures
        self.failed = asyncio.Event()

    async def read(self, turn_id: str, *, after: int, wait: float) -> list[Entry]:
        if self.failures:
            self.failures -= 1
            self.failed.set()
            raise RuntimeError("the disk is on fire")
        return await super().read(turn_id, after=after, wait=wait)


class Heard(logging.Handler):
    """Sets its event when a line with this text is logged."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.event = asyncio.Event()
        self._text, self._loop = text, asyncio.get_running_loop()

    def emit(self, record: logging.LogRecord) -> None:
        if self._text in record.getMessage():
            self._loop.call_soon_threadsafe(self.event.set)


class TestAFault:
    async def test_of_a_watcher_is_logged_and_closes_the_socket_so_that_the_page_comes_back(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        install(log=FailingLog(1))
        browser, _ = await sign_in()
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame())
        assert await closing_code(socket) == 1011
        assert "the disk is on fire" in caplog.text

    async def test_in_hearing_of_one_turn_leaves_the_next_to_be_heard(self) -> None:
        log = FailingLog(0)
        install(log=log)
        browser, person = await sign_in()
        auth, socket = auth_context(person), await open_socket(browser)
        log.failures = 1
        lost = await delivery.begin(auth, new_send())
        await log.failed.wait()
        heard = await delivery.begin(auth, new_send())
        told = await socket.receive_json_from(timeout=5)
        assert told["turn_id"] == str(heard.turn_id) != str(lost.turn_id)
        await socket.disconnect()

    @override_settings(SOCKET_IDLE_SECONDS=0.05)
    async def test_of_one_look_at_the_session_leaves_the_next_to_close_the_socket(self) -> None:
        browser, _ = await sign_in()
        socket, heard = await open_socket(browser), Heard("could not be checked")
        logging.getLogger("chat.consumers").addHandler(heard)
        with override_settings(SESSION_ENGINE="chat.tests.no_such_store"):
            await heard.event.wait()
        logging.getLogger("chat.consumers").removeHandler(heard)
        assert await closing_code(socket) == 4408


class TestATurnCarriedOn:
    async def test_is_told_to_the_same_persons_other_tabs_as_its_new_attempt(self) -> None:
        engine = install(model=ScriptedModel("Half an ", 30.0, "answer"))
        browser, person = await sign_in()
        auth = auth_context(person)
        socket = await open_socket(browser)
        await socket.send_json_to(send_frame())
        turn_id = (await events_until(socket, "delta"))[0]["turn_id"]
        await socket.send_json_to({"type": "stop", "turn_id": turn_id})
        await events_until(socket, "final")
        await engine.idle()
        install()
        await delivery.resume(auth, uuid.UUID(turn_id))
        told = await socket.receive_json_from(timeout=5)
        assert (told["type"], told["turn_id"], told["attempt"]) == ("turn_started", turn_id, 2)
        await socket.disconnect()
