"""Dates inside a question, in English, Hindi and Hinglish, and dates written out for people.

Retrieval asks only for papers in force on the day meant, so a date is taken only where the writer clearly
meant a day or a month of a year. Words such as "yesterday" are left to the planner.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import regex
from babel.dates import format_date as format_with_cldr

from plancover_assist.text.devanagari import latin_digits

# January first; each line is one month as people write it in the three ways.
_MONTHS = """
january jan janvari janwari जनवरी
february feb farvari farwari फरवरी फ\u093cरवरी \u095eरवरी
march mar मार्च
april apr aprail अप्रैल
may mai मई
june jun जून
july jul julai जुलाई
august aug agast अगस्त
september sep sept sitambar sitamber सितंबर सितम्बर
october oct aktubar aktoobar octuber अक्टूबर अक्तूबर
november nov navambar navamber नवंबर नवम्बर
december dec disambar disamber दिसंबर दिसम्बर
"""
_MONTH_NUMBER = {
    name: number for number, line in enumerate(_MONTHS.strip().splitlines(), start=1) for name in line.split()
}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_NUMBER, key=len, reverse=True))})"
# English or Hindi words as well: "1 may be rejected", "2 mar gaye", "5 mai aaya".
_DOUBTFUL_MONTHS = frozenset({"may", "mai", "mar"})

_YEAR = r"(?P<year>(?:19|20)\d{2})"
_NOT_IN_WORD, _WORD_END = r"(?<![\p{L}\p{M}\d.,₹/-])", r"(?![\p{L}\p{M}\d])"
_DAY = r"(?P<day>[0-3]?\d)(?P<ordinal>\s?(?:st|nd|rd|th))?"
_DAY_FIRST = regex.compile(
    rf"{_NOT_IN_WORD}{_DAY}(?:\s+of)?[\s-]*{_MONTH}(?:\.?[\s,-]*{_YEAR}{_WORD_END}|{_WORD_END})"
)
_MONTH_FIRST = regex.compile(
    rf"{_NOT_IN_WORD}{_MONTH}\.?\s+{_DAY}{_WORD_END}(?!\s?[%:./]?\d)(?:[\s,]+{_YEAR}{_WORD_END})?"
)
_ISO = regex.compile(rf"(?<!\d){_YEAR}-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})(?!\d)")
# Two-digit years only with strokes or dashes: 4.7.12 is a clause.
_NUMERIC = regex.compile(
    rf"(?<![\d/.-])(?P<day>\d{{1,2}})(?P<gap>[/.-])(?P<month>\d{{1,2}})(?P=gap)(?:{_YEAR}|(?<!\.)(?P<short>\d{{2}}))(?![\d/-])"
)
_MONTH_OF_YEAR = regex.compile(rf"{_NOT_IN_WORD}{_MONTH}\.?[\s,]+{_YEAR}{_WORD_END}")
# What may follow a doubtful month that stands without a year: the end, punctuation, or a postposition.
_CLOSES_DATE = regex.compile(r"\s*(?:$|[?.,;:!)।]|(?:ko|se|tak|ke|ka|ki|को|से|तक|के|का|की|and|or|to|was|is)\b)")


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A day, the characters it was read from, and whether only a month was named (then it is the first)."""

    day: date
    start: int
    end: int
    month_only: bool = False


def find_date(text: str, *, today: date) -> date | None:
    """Return the first date of a text, or None.

    Without a year it is the one nearest to `today`, the past one where both are equally near. Numeric dates
    are day first, as everywhere in India. "August 2026" gives its first day.
    """
    return next((found.day for found in find_dates(text, today=today)), None)


def find_dates(text: str, *, today: date) -> list[FoundDate]:
    """Return all dates in order; offsets are characters of `text`."""
    plain = latin_digits(text).lower()
    found: list[FoundDate] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(plain):
            day = read(match, today)
            if day and all(match.end() <= other.start or match.start() >= other.end for other in found):
                found.append(FoundDate(day, match.start(), match.end(), pattern is _MONTH_OF_YEAR))
    return sorted(found, key=lambda one: one.start)


def format_date(day: date, lang: str) -> str:
    """Return a date in words: "1 September 2026", in Hindi (`hi`) "1 सितंबर 2026"; digits are Latin."""
    return str(format_with_cldr(day, "d MMMM y", locale="hi_IN" if lang == "hi" else "en_IN"))


def _read_named(match: "regex.Match[str]", today: date) -> date | None:
    month, year = match["month"], match["year"]
    if month in _DOUBTFUL_MONTHS and not (
        year or match["ordinal"] or _CLOSES_DATE.match(match.string, match.end())
    ):
        return None
    number, day = _MONTH_NUMBER[month], int(match["day"])
    return _date(int(year), number, day) if year else _nearest(number, day, today)


def _read_numeric(match: "regex.Match[str]", _today: date) -> date | None:
    year = int(match["year"] or f"20{match['short']}")
    day, month = int(match["day"]), int(match["month"])
    # Only a month above twelve proves that somebody wrote the month first.
    return _date(year, day, month) if month > 12 else _date(year, month, day)


def _read_iso(match: "regex.Match[str]", _today: date) -> date | None:
    return _date(int(match["year"]), int(match["month"]), int(match["day"]))


def _read_month(match: "regex.Match[str]", _today: date) -> date | None:
    return _date(int(match["year"]), _MONTH_NUMBER[match["month"]], 1)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _nearest(month: int, day: int, today: date) -> date | None:
    around = [_date(today.year + offset, month, day) for offset in (-1, 0, 1)]
    return min(filter(None, around), key=lambda one: (abs(one - today), one), default=None)


# The first reader that takes a stretch of text keeps it.
_READERS: tuple[tuple["regex.Pattern[str]", Callable[["regex.Match[str]", date], date | None]], ...] = (
    (_ISO, _read_iso),
    (_NUMERIC, _read_numeric),
    (_DAY_FIRST, _read_named),
    (_MONTH_FIRST, _read_named),
    (_MONTH_OF_YEAR, _read_month),
)
