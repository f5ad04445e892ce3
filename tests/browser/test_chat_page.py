"""The main job in a real browser: ask, read along, check the sources, lose the network, stop, come back."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import QUESTION, NewContext, ask, sign_in, stop, until_text, wait_for_answer
from tests.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.process]


def listen(page: Page) -> list[dict[str, Any]]:
    """Collect the events that this page's sockets receive from now on."""
    events: list[dict[str, Any]] = []

    def hear(frame: str | bytes) -> None:
        event = json.loads(frame)
        if "seq" in event:
            events.append(event)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return events


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something that no page shows; fails when it does not come about."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def open_second_tab(page: Page) -> Page:
    """Open the conversation again, in a tab that has been seen to hear of the first one's questions.

    A socket joins the others some time after it opened and tells nobody: questions are asked until it hears.
    """
    second = page.context.new_page()
    second.goto(page.url)
    for number in range(5):
        ask(page, f"How many days do I have to file claim number {number}?")
        wait_for_answer(page)
        if f"claim number {number}?" in second.locator(".turn").last.inner_text():
            wait_for_answer(second)
            return second
    raise AssertionError("the second tab heard of nothing")


class TestAsking:
    def test_shows_the_answer_as_it_grows_and_then_its_sources(self, page: Page) -> None:
        sign_in(page)
        ask(page)
        first = until_text(page)
        page.wait_for_function(
            "n => document.querySelector('[data-stream]')?.textContent.length > n", arg=len(first)
        )
        assert "₹40,000" in wait_for_answer(page)
        page.locator("a.cite").first.click()
        opened = page.locator(".sources details[open]")
        expect(opened).to_have_count(1)
        expect(opened.locator("blockquote")).to_contain_text("cataract")
        expect(opened.locator("summary")).to_be_focused()

    def test_says_at_once_that_it_is_at_work_and_keeps_the_focus(self, page: Page) -> None:
        sign_in(page)
        ask(page)
        expect(page.locator(".turn .member")).to_contain_text(QUESTION)
        expect(page.locator("[role=status][data-announcer]")).to_contain_text("answering")
        expect(page.locator("#question")).to_be_focused()
        wait_for_answer(page)
        expect(page.locator("#question")).to_be_focused()

    def test_announces_the_whole_answer_once_and_never_word_by_word(self, page: Page) -> None:
        sign_in(page)
        assert page.locator("#transcript").get_attribute("aria-live") == "off"
        ask(page)
        wait_for_answer(page)
        expect(page.locator("[data-announcer]")).to_contain_text("₹40,000")

    def test_gives_the_conversation_an_address_and_a_place_in_the_list(self, page: Page) -> None:
        sign_in(page)
        ask(page, "What is the cataract limit per eye, please?")
        until_text(page)
        assert "/c/web-" in page.url
        expect(page.locator(".threads [aria-current=page]")).to_contain_text("please?")
        wait_for_answer(page)

    def test_shows_visitors_no_employers_figure(self, page: Page) -> None:
        page.goto("/")
        ask(page)
        assert "40,000" not in wait_for_answer(page)

    def test_does_not_send_while_a_word_is_being_composed(self, page: Page) -> None:
        page.goto("/")
        page.fill("#question", "मोतिया")
        page.evaluate(
            """document.querySelector('#question').dispatchEvent(
                new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))"""
        )
        expect(page.locator(".turn")).to_have_count(0)
        expect(page.locator("#question")).to_have_value("मोतिया")

    def test_keeps_a_draft_until_it_is_sent(self, page: Page) -> None:
        sign_in(page)
        page.fill("#question", "half a thought")
        page.reload()
        expect(page.locator("#question")).to_have_value("half a thought")
        ask(page)
        wait_for_answer(page)
        page.goto("/")
        expect(page.locator("#question")).to_have_value("")

    def test_forgets_drafts_when_somebody_signs_out(self, page: Page) -> None:
        sign_in(page)
        page.fill("#question", "my own business")
        page.click("[data-forget] button")
        page.wait_for_selector("text=Sign in")
        assert page.evaluate("localStorage.length") == 0

    def test_from_a_suggestion_takes_the_same_path(self, page: Page) -> None:
        sign_in(page)
        page.locator(".suggestions button").first.click()
        assert wait_for_answer(page)

    def test_for_a_person_leaves_a_reference(self, page: Page) -> None:
        sign_in(page)
        page.click("text=Talk to a person")
        expect(page.locator(".handed-over")).to_contain_text("PC-")


class TestReloading:
    def test_in_mid_answer_keeps_the_whole_text_and_asks_no_model_again(
        self, page: Page, product: Product
    ) -> None:
        sign_in(page)
        turns, runs = product.count("chat_turn"), product.count("audit_turntrace")
        ask(page)
        until_text(page)
        events = listen(page)
        page.reload()
        until_text(page)
        answer = wait_for_answer(page)
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        deltas = "".join(event["text"] for event in events if event["type"] == "delta")
        assert deltas == events[-1]["answer"]
        assert "₹40,000" in answer
        assert product.count("chat_turn") == turns + 1
        wait_until(lambda: product.count("audit_turntrace") > runs)  # written after the last event
        assert product.count("audit_turntrace") == runs + 1


class TestSecondTab:
    def test_opened_in_mid_answer_follows_to_the_same_end(self, page: Page) -> None:
        sign_in(page)
        ask(page)
        until_text(page)
        second = page.context.new_page()
        second.goto(page.url)
        until_text(second)
        assert wait_for_answer(second) == wait_for_answer(page)

    def test_that_was_open_before_hears_of_a_question_asked_elsewhere(self, page: Page) -> None:
        sign_in(page)
        ask(page)
        wait_for_answer(page)
        second = open_second_tab(page)
        ask(page, "Which papers does a reimbursement claim need?")
        expect(second.locator(".turn").last).to_contain_text("Which papers")
        until_text(second)
        assert wait_for_answer(second) == wait_for_answer(page)

    def test_that_was_open_before_follows_an_answer_carried_on_elsewhere(self, page: Page) -> None:
        sign_in(page)
        ask(page)
        wait_for_answer(page)
        second = open_second_tab(page)
        ask(page)
        until_text(page)
        stop(page)
        expect(second.locator(".again")).to_have_count(1)
        page.click("[data-resume] button")
        until_text(second)
        assert "₹40,000" in wait_for_answer(second)
        expect(second.locator(".again")).to_have_count(0)


class TestLosingTheLine:
    def test_in_mid_answer_replays_from_the_last_event(self, page: Page) -> None:
        sockets: list[WebSocketRoute] = []

        def route(socket: WebSocketRoute) -> None:
            server = socket.connect_to_server()
            sockets.append(socket)

            def cut_after_first_words(message: str | bytes) -> None:
                socket.send(message)
                if len(sockets) == 1 and json.loads(message)["type"] == "delta":
                    socket.close(code=1012)
                    server.close()

            server.on_message(cut_after_first_words)

        page.route_web_socket("**/ws/chat/", route)
        sign_in(page)
        sockets.clear()
        page.reload()
        ask(page)
        assert "₹40,000" in wait_for_answer(page)
        assert len(sockets) == 2

    def test_for_good_falls_back_to_plain_http(self, page: Page) -> None:
        page.route_web_socket("**/ws/chat/", lambda socket: socket.close(code=1011))
        sign_in(page)
        ask(page)
        until_text(page)
        assert "₹40,000" in wait_for_answer(page)

    def test_to_a_sign_out_elsewhere_is_told(self, page: Page) -> None:
        sign_in(page)
        elsewhere = page.context.new_page()
        elsewhere.goto("/")
        elsewhere.click("[data-forget] button")
        elsewhere.wait_for_selector("text=Sign in")
        ask(page)
        expect(page.locator("[data-banner]")).to_contain_text("signed out")


class TestWithoutScript:
    def test_a_question_is_answered_by_plain_forms(self, new_context: NewContext) -> None:
        page = sign_in(new_context(java_script_enabled=False).new_page())
        page.fill("#question", QUESTION)
        page.click("button[aria-label=Send]")
        page.wait_for_url("**/c/web-*/**")
        expect(page.locator(".turn .assistant div.text")).to_contain_text("₹40,000", timeout=20_000)
        page.locator(".sources summary").first.click()
        expect(page.locator(".sources blockquote").first).to_be_visible()

    def test_a_page_opened_in_mid_answer_brings_the_end_by_itself(self, new_context: NewContext) -> None:
        first = sign_in(new_context().new_page())
        ask(first)
        until_text(first)
        state = first.context.storage_state()
        plain = new_context(java_script_enabled=False, storage_state=state).new_page()
        plain.goto(first.url)
        first.close()
        expect(plain.locator(".turn .assistant div.text")).to_contain_text("₹40,000", timeout=20_000)
