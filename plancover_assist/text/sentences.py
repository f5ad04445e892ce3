"""Sentences of English and Hindi documents, and cuts that never break a letter.

Quotes, citation checks and the offline model work on these sentences, so offsets always point into the
text as given. Nothing is rewritten here.
"""

from collections.abc import Iterator

import regex

from plancover_assist.text.spans import Span

# A line of its own kind starts a new sentence: list item, numbered point, heading, table row.
_ITEM = regex.compile(
    r"\s*(?:[-*\u2022]\s|\(?\p{Nd}{1,3}[.)]\s|\([a-z]{1,4}\)\s|[a-z]\)\s|\|)", regex.IGNORECASE
)
_HEADING = regex.compile(r"\s*#{1,6}\s")
_TABLE_ROW = regex.compile(r"\s*\|")

# A danda ends a sentence wherever it stands, a full stop only before a space or the end.
_END = regex.compile(r"[।॥]+[\"'\u201d\u2019)\]]*|[.?!\u2026]+[\"'\u201d\u2019)\]]*(?=\s|$)")
_LAST_WORD = regex.compile(r"[\p{L}\p{M}\p{N}.]+$")
_NEXT_VISIBLE = regex.compile(r"\s*[\"'\u201c\u2018(\[]*(.?)", regex.DOTALL)
_MARKER = regex.compile(r"\(?(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3})*|[A-Za-z]|[ivxIVX]{1,5})")
_INITIAL = regex.compile(r"[A-Z](?:\.[A-Z])*")
_LABELLED_LETTER = regex.compile(
    r"\b(?:list|part|form|section|schedule|annexure|category|table|plan|vitamin|hepatitis)\s+[A-Z]$",
    regex.IGNORECASE,
)

# Written with a full stop and never the end of a sentence.
_TITLES = frozenset(
    "dr mr mrs ms prof smt shri st e.g i.e viz vs approx incl excl max min m/s डॉ श्री प्रो रु उदा".split()
)
# Only an abbreviation when a number or reference follows: "No. 5", but "The answer is No."
_BEFORE_NUMBER = frozenset(
    "rs re no nos cl sec art fig para ch vol p pp sl sr ext tel ph inr सं क्र नं पृ".split()
)
# May end a sentence, and then a capital or a Hindi letter follows: "Ltd. The member …"
_MAY_END = frozenset(
    """etc ltd pvt co inc a.m p.m am pm yrs yr hrs hr mins govt dept
    jan feb mar apr jun jul aug sep sept oct nov dec""".split()
)

_ELLIPSIS = "\u2026"
_GRAPHEME = regex.compile(r"\X")
# A cut may move back to a space within this share of the length; further back it would lose too much.
_WORD_CUT_SHARE = 0.2


def split_sentences(text: str) -> list[Span]:
    """Return the sentences in order, without surrounding white space; list items and table rows count.

    Every visible character of `text` lies in exactly one span.
    """
    return [sentence for start, end in _blocks(text) for sentence in _sentences_of_block(text, start, end)]


def truncate(text: str, chars: int) -> str:
    """Return `text` cut to at most `chars` characters, an ellipsis included when something was cut.

    The cut falls between graphemes, so no Devanagari vowel sign is torn from its letter, and between
    words when a space is near.
    """
    if len(text) <= chars:
        return text
    if chars < 1:
        return ""
    kept = text[: _last_boundary(text, chars - 1)]
    space = max(kept.rfind(" "), kept.rfind("\n"))
    if space >= len(kept) * (1 - _WORD_CUT_SHARE):
        kept = kept[:space]
    return kept.rstrip() + _ELLIPSIS


def _last_boundary(text: str, limit: int) -> int:
    end = 0
    for grapheme in _GRAPHEME.finditer(text):
        if grapheme.end() > limit:
            break
        end = grapheme.end()
    return end


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges that no sentence crosses: paragraphs, list items, headings, table rows."""
    start = position = 0
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        stands_alone = bool(_HEADING.match(line) or _TABLE_ROW.match(line))
        if stands_alone or not line.strip() or _ITEM.match(line):
            yield start, position
            start = position
        if stands_alone or not line.strip():
            yield start, end
            start = end
        position = end
    yield start, position


def _sentences_of_block(text: str, start: int, end: int) -> Iterator[Span]:
    begin = start
    for mark in _END.finditer(text, start, end):
        if _ends_sentence(text, begin, mark, end):
            yield from _trimmed(text, begin, mark.end())
            begin = mark.end()
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    body = piece.strip()
    if body:
        begin = start + len(piece) - len(piece.lstrip())
        yield Span(begin, begin + len(body), body)


def _ends_sentence(text: str, begin: int, mark: "regex.Match[str]", end: int) -> bool:
    if not mark.group().startswith("."):
        return True
    before = text[begin : mark.start()].lstrip()
    following = _next_visible(text, mark.end(), end)
    if following.islower() or _MARKER.fullmatch(before):
        return False
    return not _is_abbreviation(before, following)


def _next_visible(text: str, position: int, end: int) -> str:
    match = _NEXT_VISIBLE.match(text, position, end)
    return match[1] if match else ""


def _is_abbreviation(before: str, following: str) -> bool:
    last = _LAST_WORD.search(before)
    if not last or not following:
        return False
    word = last.group().lower().strip(".")
    if _INITIAL.fullmatch(last.group()):
        return not _LABELLED_LETTER.search(before)
    if word in _BEFORE_NUMBER:
        return following.isdigit()
    return word in _TITLES or (word in _MAY_END and following.isdigit())
