"""An answer may hold anything; what reaches the page is text, a few tags, and links to our own sources."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.markup import TAGS, render_answer

SOURCES = {1: ("source-x-1", "Policy schedule, clause 4.7"), 2: ("source-x-2", "Claims guide")}
FRAGMENTS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/?d=1)",
    "[a](javascript:alert(1))",
    "[a](//evil.example)",
    "[1](https://evil.example)",
    "<https://evil.example>",
    "[1]: https://evil.example",
    "<a href='/admin/'>",
    "<table onclick=x>",
    "&lt;script&gt;",
    "| a |\n|---|\n| [2] |",
    "`[1]`",
    *("[1]", "[9]", "**", "\n\n", "# ", "> ", "- ", "\x00", "क्लेम"),
)
HOSTILE = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=20), max_size=12).map("".join)


class TestAnswerMarkup:
    def test_keeps_the_formatting_an_answer_needs(self) -> None:
        html = render_answer("**₹40,000** per eye\n\n- one\n- two", {})
        assert "<strong>₹40,000</strong>" in html
        assert html.count("<li>") == 2

    def test_shows_raw_html_as_text(self) -> None:
        html = render_answer("<b onclick=alert(1)>hi</b><script>x</script>", {})
        assert "<b" not in html
        assert "<script" not in html
        assert "hi" in html

    @pytest.mark.parametrize(
        "text", ["[a](https://evil.example)", "![a](https://evil.example/x.png)", "<https://evil.example>"]
    )
    def test_never_makes_a_link_or_an_image_of_the_models_own(self, text: str) -> None:
        html = render_answer(text, {})
        assert "<a" not in html
        assert "<img" not in html

    def test_turns_a_marker_into_a_named_link_to_its_source(self) -> None:
        html = render_answer("It is ₹40,000 [1].", SOURCES)
        assert 'href="#source-x-1"' in html
        assert 'aria-label="Source 1: Policy schedule, clause 4.7"' in html

    def test_keeps_a_marker_on_the_line_of_its_claim(self) -> None:
        assert "₹40,000\u00a0<a" in render_answer("It is ₹40,000 [1].", SOURCES)

    def test_says_of_a_marker_that_was_never_offered_that_it_is_not_ours(self) -> None:
        html = render_answer("It is ₹90,000 [7].", SOURCES)
        assert "not from our sources" in html
        assert "<a" not in html

    def test_leaves_markers_in_code_alone(self) -> None:
        assert "<a" not in render_answer("`list[1]`", SOURCES)

    def test_is_not_fooled_by_a_reference_that_redefines_a_marker(self) -> None:
        html = render_answer("See [1]\n\n[1]: https://evil.example", SOURCES)
        assert 'href="https' not in html

    def test_escapes_the_name_of_a_source(self) -> None:
        assert "<script" not in render_answer("[1]", {1: ("s", '"><script>')})

    def test_gives_a_wide_table_its_own_scroller(self) -> None:
        html = render_answer("| a | b |\n|---|---|\n| 1 | 2 [1] |", SOURCES)
        assert '<div class="table-scroll" tabindex="0"' in html
        assert html.count("<a") == 1

    @given(text=HOSTILE)
    def test_lets_nothing_through_but_known_tags_and_links_to_offered_sources(self, text: str) -> None:
        html = render_answer(text, SOURCES)
        tags = set(re.findall(r"<([a-z0-9]+)", html))
        assert tags <= TAGS | {"a", "span", "small", "div"}
        assert set(re.findall(r'href="([^"]*)"', html)) <= {"#source-x-1", "#source-x-2"}
        assert not re.search(r"<[^>]*\son[a-z]+\s*=", html)
