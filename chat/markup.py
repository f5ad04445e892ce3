"""Turns the finished text of an answer into HTML that is safe to show.

Models write Markdown and may write anything; only this module decides what of it reaches a page. Raw HTML,
images and links never do: the one kind of link is made here, from `[n]` to a source that was offered.
It must not read the database.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from chat.turn.citation_checks import MARKER_PATTERN

TAGS = frozenset(
    {"p", "br", "strong", "em", "ul", "ol", "li", "code", "pre", "blockquote", "hr"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)
# Off in the parser too, so that what looks like a link stays readable as the text it is; headings would
# break the outline of the page around the answer.
SILENCED_RULES = ["link", "image", "autolink", "reference", "heading", "lheading"]
PIECE = re.compile(r"(<[^>]+>)")
MARKER = re.compile(rf"\s?{MARKER_PATTERN}")  # with the space before it, which must not break the line


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("js-default", {"html": False, "linkify": False}).disable(SILENCED_RULES)


def render_answer(text: str, sources: Mapping[int, tuple[str, str]]) -> SafeString:
    """Return the answer's HTML.

    `sources` maps the number of each offered source to the id of its element on the page and to its name
    for people. A marker that was never offered is shown as such, not as a link.
    """
    clean = nh3.clean(_parser().render(text), tags=set(TAGS), attributes={}, url_schemes=set())
    return mark_safe(_wrap_tables(_link_markers(clean, sources)))  # noqa: S308 - cleaned just above


def _link_markers(html: str, sources: Mapping[int, tuple[str, str]]) -> str:
    """Replace markers in text only: never inside a tag, nor inside code."""
    pieces, depth = [], 0
    for piece in PIECE.split(html):
        if piece.startswith("<"):
            depth += _code_depth_change(piece)
            pieces.append(piece)
        else:
            pieces.append(piece if depth else MARKER.sub(lambda found: _marker(found, sources), piece))
    return "".join(pieces)


def _code_depth_change(tag: str) -> int:
    if tag in {"<code>", "<pre>"}:
        return 1
    return -1 if tag in {"</code>", "</pre>"} else 0


def _marker(found: re.Match[str], sources: Mapping[int, tuple[str, str]]) -> str:
    number = int(found[1])
    if number not in sources:
        return format_html(
            '\u00a0<span class="cite cite-unknown">{} <small>{}</small></span>',
            number,
            _("not from our sources"),
        )
    target, name = sources[number]
    label = _("Source %(number)d: %(name)s") % {"number": number, "name": name}
    return format_html('\u00a0<a class="cite" href="#{}" aria-label="{}">{}</a>', target, label, number)


def _wrap_tables(html: str) -> str:
    """Give wide tables a scroller of their own, so that a phone's page never scrolls sideways."""
    opening = format_html(
        '<div class="table-scroll" tabindex="0" role="region" aria-label="{}"><table>', _("Table")
    )
    return html.replace("<table>", opening).replace("</table>", "</table></div>")
