"""The system's Chromium in front of the whole product.

A missing Chromium is a failure: a page nobody has opened is not tested. Every page that a test opens must
stay free of errors in its console, violations of the content policy among them.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.product import Product

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
QUESTION = "What is the cataract limit per eye?"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser a module: its driver keeps a loop running that async tests must not find."""
    if not CHROMIUM.exists():
        pytest.fail(f"There is no Chromium at {CHROMIUM}; install it, or name another in $CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


NewContext = Callable[..., BrowserContext]


@pytest.fixture
def complaints() -> list[str]:
    """What consoles said; a test that provokes something on purpose empties it."""
    return []


@pytest.fixture
def new_context(chromium: Browser, product: Product, complaints: list[str]) -> Iterator[NewContext]:
    """Make browsers of one person each; fails the test when a console complained."""
    contexts: list[BrowserContext] = []

    def make(width: int = 1280, **options: object) -> BrowserContext:
        viewport = {"width": width, "height": 800}
        context = chromium.new_context(base_url=product.url, viewport=viewport, **options)  # type: ignore[arg-type]  # options are passed on
        context.on("console", lambda message: _note(message, complaints))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type in {"error", "warning"}:
        complaints.append(message.text)


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A visitor's page on a wide screen."""
    return new_context().new_page()


def sign_in(page: Page, username: str = "member-a1") -> Page:
    page.goto("/accounts/login/")
    page.fill("[name=username]:not([type=hidden])", username)
    page.fill("#id_password", f"demo-{username}")
    page.click("form.panel button")
    page.wait_for_selector("#composer")
    page.wait_for_load_state()  # the script listens from then on
    return page


def ask(page: Page, text: str = QUESTION) -> None:
    page.fill("#question", text)
    page.press("#question", "Enter")


def wait_for_answer(page: Page) -> str:
    """Wait until the turn under way has ended and return the words of its answer."""
    page.wait_for_selector("#composer[data-state=idle]")
    answer = page.locator(".turn").last.locator(".assistant div.text")
    answer.wait_for()
    return answer.inner_text()


def until_text(page: Page) -> str:
    """Wait for the first words of the turn under way."""
    stream = page.locator("[data-stream]").last
    expect(stream).not_to_be_empty()
    return stream.inner_text()


def stop(page: Page) -> None:
    page.click("[data-stop]")
    page.wait_for_selector("#composer[data-state=idle]")
    page.wait_for_selector("[data-resume] button")
