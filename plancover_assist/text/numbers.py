"""Numbers and amounts as Indians write them, in one canonical form for comparing them.

The literal check of citations rests on `numbers_in`: a figure in an answer must stand in its source,
however either side writes it. Nothing here judges whether a figure is right.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import regex

from plancover_assist.text.devanagari import fold, latin_digits

_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "lakh": 100_000,
    "crore": 10_000_000,
}
# Spellings after folding, so करोड़ stands here without its nukta.
_SCALE_WORDS = {
    spelling: _SCALES[scale]
    for scale, spellings in {
        "hundred": "hundred सौ",
        "thousand": "thousand hazar hazaar हजार k",
        "lakh": "lakh lakhs lac lacs लाख",
        "crore": "crore crores cr करोड",
    }.items()
    for spelling in spellings.split()
}
# One and two are left out in Hindi, and one in English: एक, दो and "one" are seldom counted figures.
_NUMBER_WORDS = {
    word: number
    for words, first in (
        ("two three four five six seven eight nine ten eleven twelve", 2),
        ("तीन चार पांच छह सात आठ नौ दस ग्यारह बारह", 3),
    )
    for number, word in enumerate(words.split(), start=first)
} | {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty-five": 45,
    "sixty": 60,
    "ninety": 90,
    "तीस": 30,
    "साठ": 60,
}

_DIGITS = r"(?:\d{1,3}(?:,\d{2,3})+|\d+)(?:\.\d+)*"
# Digits inside an identifier (Excl04, A-END-07) are not figures.
_OUTSIDE_IDENTIFIER = r"(?<![\p{L}\p{M}\d_.])(?<!\p{L}[-/])"
_SCALE = rf"(?:[\s-]?(?P<scale>{'|'.join(sorted(_SCALE_WORDS, key=len, reverse=True))})(?![\p{{L}}\p{{M}}]))?"
_CURRENCY = r"(?:(?:₹|\brs\.?|\binr|\brupees|रु\.?)\s?)"
_RUPEES_AFTER = r"(?:\s?(?:/-|rs\b|rupees?\b|rupaye\b|रुपये|रुपए|रुपया))?"
_FIGURE = regex.compile(rf"(?:{_CURRENCY}|{_OUTSIDE_IDENTIFIER})(?P<digits>{_DIGITS}){_SCALE}{_RUPEES_AFTER}")
_PERCENT = regex.compile(r"\s?(?:%|per\s?cent\b|प्रतिशत|फीसदी)")
_RANGE_DASH = regex.compile(r"\s?[-\u2013\u2014]\s?")
_DATE = regex.compile(r"(?<!\d)(?:(\d{4})-\d{1,2}-(\d{1,2})|(\d{1,2})[/.-]\d{1,2}[/.-](\d{4}))(?!\d)")
_TIMES = regex.compile(r"(?<=\d)x(?=\d)")
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)?")


@dataclass(frozen=True, slots=True)
class _Figure:
    value: Decimal
    scale: int
    written: str
    start: int
    end: int


def numbers_in(text: str) -> frozenset[str]:
    """Return the figures of a text in canonical form.

    ₹5,00,000, 5 lakh and ५,००,००० are all "500000"; 10 %, 10 per cent and 10 प्रतिशत are "10%"; "three" is
    "3"; a numeric date counts with day and year, as a date with its month in words does.
    """
    normal = _DATE.sub(lambda match: " ".join(filter(None, match.groups())), _normal(text))
    found = {_canonical(figure, normal) for figure in _figures(normal)}
    words = {str(_NUMBER_WORDS[word]) for word in _WORD.findall(normal) if word in _NUMBER_WORDS}
    return frozenset(found | words)


def _normal(text: str) -> str:
    return _TIMES.sub("\u00d7", fold(latin_digits(text)).lower())


def _canonical(figure: _Figure, text: str) -> str:
    if figure.written.count(".") > 1:
        return figure.written
    plain = f"{figure.value.normalize():f}"
    return f"{plain}%" if _PERCENT.match(text, figure.end) else plain


def _figures(text: str) -> Iterator[_Figure]:
    """Yield the figures in order; "1 lakh 50 thousand" is one, and in "2-5 lakh" both are lakhs."""
    matches = [_figure(match) for match in _FIGURE.finditer(text)]
    position = 0
    while position < len(matches):
        figure, following = matches[position], matches[position + 1 : position + 2]
        gap = text[figure.end : following[0].start] if following else "."
        if figure.scale == 1 and following and following[0].scale > 1 and _RANGE_DASH.fullmatch(gap):
            yield _scaled(figure, following[0])
        elif following and gap == " " and figure.scale > following[0].scale > 1:
            yield _joined(figure, following[0])
            position += 1
        else:
            yield figure
        position += 1


def _figure(match: "regex.Match[str]") -> _Figure:
    written = match["digits"].replace(",", "")
    scale = _SCALE_WORDS.get(match["scale"] or "", 1)
    whole, *decimals = written.split(".")
    value = Decimal(f"{whole}.{''.join(decimals[:1]) or 0}") * scale
    return _Figure(value, scale, written, match.start(), match.end())


def _scaled(figure: _Figure, like: _Figure) -> _Figure:
    return _Figure(figure.value * like.scale, like.scale, figure.written, figure.start, figure.end)


def _joined(first: _Figure, second: _Figure) -> _Figure:
    value = first.value + second.value
    return _Figure(value, second.scale, first.written, first.start, second.end)
