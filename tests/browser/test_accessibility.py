"""Every state of the page for everybody: axe's rules, small screens, both languages, both themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext, ask, sign_in, wait_for_answer

pytestmark = [pytest.mark.browser, pytest.mark.process]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
EMERGENCY = "My father has severe chest pain and cannot breathe"


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
class TestState:
    def test_empty_and_sign_in(self, new_context: NewContext, width: int, scheme: str) -> None:
        page = new_context(width, color_scheme=scheme).new_page()
        for address in ("/", "/accounts/login/", "/api/docs"):
            page.goto(address)
            assert violations(page) == []
            assert overflow(page) <= 0

    def test_answered_with_an_open_source(self, new_context: NewContext, width: int, scheme: str) -> None:
        page = sign_in(new_context(width, color_scheme=scheme).new_page())
        ask(page)
        wait_for_answer(page)
        page.locator("a.cite").first.click()
        assert violations(page) == []
        assert overflow(page) <= 0

    def test_emergency(self, new_context: NewContext, width: int, scheme: str) -> None:
        page = sign_in(new_context(width, color_scheme=scheme).new_page())
        ask(page, EMERGENCY)
        expect(page.locator(".emergency .calls")).to_contain_text("112")
        assert violations(page) == []
        assert overflow(page) <= 0


class TestErrorPage:
    def test_has_no_violations(self, page: Page, complaints: list[str]) -> None:
        page.goto("/c/never-was/")
        assert violations(page) == []
        complaints.clear()  # the console notes the 404 itself


class TestStreaming:
    def test_has_no_violations_while_text_grows(self, page: Page) -> None:
        sign_in(page)
        ask(page)
        expect(page.locator("[data-stream]").last).not_to_be_empty()
        assert violations(page) == []


class TestHindi:
    def test_is_spoken_by_the_whole_page(self, new_context: NewContext) -> None:
        page = sign_in(new_context(390).new_page())
        page.click(".languages button[value=hi]")
        page.wait_for_selector("html[lang=hi]")
        expect(page.locator(".welcome h2")).to_contain_text("स्वास्थ्य बीमा")
        ask(page, "मोतियाबिंद की सीमा प्रति आँख कितनी है?")
        assert "40,000" in wait_for_answer(page)
        expect(page.locator(".turn .assistant div.text")).to_have_attribute("lang", "hi")
        assert violations(page) == []
        assert overflow(page) <= 0


class TestPhone:
    def test_reaches_its_conversations_through_a_drawer(self, new_context: NewContext) -> None:
        page = sign_in(new_context(390).new_page())
        expect(page.locator("#threads")).to_be_hidden()
        page.click(".threads-button")
        expect(page.locator("#threads")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(page.locator("#threads")).to_be_hidden()

    def test_never_scrolls_sideways(self, new_context: NewContext) -> None:
        page = sign_in(new_context(390).new_page())
        assert overflow(page) <= 0
        ask(page)
        wait_for_answer(page)
        page.locator(".sources summary").first.click()
        assert overflow(page) <= 0

    def test_has_thumb_sized_controls(self, new_context: NewContext) -> None:
        page = sign_in(new_context(390).new_page())
        for name in (".send:visible", ".threads-button", ".help button"):
            box = page.locator(name).first.bounding_box()
            assert box is not None
            assert box["height"] >= 40


class TestKeyboard:
    def test_first_reaches_a_link_past_the_header(self, page: Page) -> None:
        page.goto("/")
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#question")).to_be_focused()


class TestAdmin:
    def test_keeps_the_content_policy(self, page: Page) -> None:
        page.goto("/admin/login/")
        page.fill("#id_username", "lead-1")
        page.fill("#id_password", "demo-lead-1")
        page.click("[type=submit]")
        page.goto("/admin/chat/turn/")
        assert overflow(page) <= 0
