"""Finding and masking what identifies a person or opens an account: for logs, traces and guardrails.

Patterns with a check digit are verified, so that a rupee amount is not taken for an identity number;
where that is impossible the choice falls on masking. Names and addresses cannot be found by patterns:
code that logs must not log free text of members in the first place.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import regex
from stdnum import luhn, verhoeff

from plancover_assist.text.devanagari import latin_digits


class Identifier(StrEnum):
    """What was found; the value is the word that replaces it, in square brackets."""

    SECRET = "secret"  # noqa: S105 (a label, not a password)
    EMAIL = "e-mail"
    UPI = "upi"
    ABHA = "abha"
    AADHAAR = "aadhaar"
    CARD = "card"
    PAN = "pan"
    IFSC = "ifsc"
    OTP = "otp"
    REFERENCE = "reference"
    PHONE = "phone"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Found:
    """One identifier at `text[start:end]`, offsets in characters."""

    kind: Identifier
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: Identifier | None  # None: a harmless look-alike that later patterns must leave alone
    expression: "regex.Pattern[str]"
    accepts: Callable[[str], bool]


def find_identifiers(text: str) -> list[Found]:
    """Return all identifiers in order, not overlapping."""
    spans: list[Found] = []
    taken: list[tuple[int, int]] = []
    plain = latin_digits(text)
    for pattern in _PATTERNS:
        for start, end in _matches(pattern, plain):
            if all(end <= other_start or start >= other_end for other_start, other_end in taken):
                taken.append((start, end))
                spans += [Found(pattern.kind, start, end)] if pattern.kind else []
    return sorted(spans, key=lambda found: found.start)


def redact(text: str) -> str:
    """Return `text` with every identifier replaced by its kind, such as `[aadhaar]`."""
    parts: list[str] = []
    position = 0
    for found in find_identifiers(text):
        parts += [text[position : found.start], f"[{found.kind}]"]
        position = found.end
    return "".join([*parts, text[position:]])


def _matches(pattern: _Pattern, text: str) -> Iterator[tuple[int, int]]:
    for match in pattern.expression.finditer(text):
        group = match.lastindex or 0
        if pattern.accepts(match.group(group)):
            yield match.span(group)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _is_aadhaar(text: str) -> bool:
    return bool(verhoeff.is_valid(_digits(text)))


def _is_card(text: str) -> bool:
    return bool(luhn.is_valid(_digits(text)))


def _has_four_digits(text: str) -> bool:
    return len(_digits(text)) >= 4


def _always(_text: str) -> bool:
    return True


def _pattern(kind: Identifier | None, expression: str, accepts: Callable[[str], bool] = _always) -> _Pattern:
    return _Pattern(kind, regex.compile(expression, regex.IGNORECASE | regex.VERBOSE), accepts)


_START, _STOP = r"(?<![\p{L}\p{N}])", r"(?![\p{L}\p{N}])"

# The first pattern that takes a stretch of text keeps it. Where there is a group, only the group is masked.
_PATTERNS = (
    _pattern(None, r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),  # UUIDs of our rows
    _pattern(None, rf"{_START}1800[\s-]?\d{{3,4}}[\s-]?\d{{3,4}}{_STOP}"),  # toll-free lines are public
    _pattern(Identifier.SECRET, r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"),  # a signed web token
    _pattern(Identifier.SECRET, r"\b(?:sk|pk|key|token)[-_][\w-]{16,}"),
    _pattern(Identifier.SECRET, r"\bbearer\s+([\w.~+/=-]{8,})"),
    _pattern(Identifier.SECRET, r"://([^/\s:@]*:[^/\s@]+)(?=@)"),  # user and password inside an address
    _pattern(Identifier.EMAIL, r"[\w.%+-]+@[\w-]+(?:\.[\w-]+)*\.\p{L}{2,}"),
    _pattern(Identifier.ABHA, r"[\w.]{3,}@(?:abdm|sbx|ndhm)\b"),
    _pattern(Identifier.UPI, r"[\w.-]{2,}@[a-z]{2,}\b"),
    _pattern(Identifier.ABHA, rf"{_START}\d{{2}}[\s-]?\d{{4}}[\s-]?\d{{4}}[\s-]?\d{{4}}{_STOP}"),
    _pattern(Identifier.AADHAAR, rf"{_START}[2-9]\d{{3}}[\s-]?\d{{4}}[\s-]?\d{{4}}{_STOP}", _is_aadhaar),
    _pattern(Identifier.CARD, rf"{_START}[3-6]\d{{3}}(?:[\s-]?\d{{4}}){{2}}[\s-]?\d{{1,7}}{_STOP}", _is_card),
    # Fourth letter: the kind of holder (P person, C company, H family, F firm, A T B L J G the rest).
    _pattern(Identifier.PAN, rf"{_START}[A-Z]{{3}}[ABCFGHJLPT][A-Z]\d{{4}}[A-Z]{_STOP}"),
    _pattern(Identifier.IFSC, rf"{_START}[A-Z]{{4}}0(?=[A-Z0-9]*\d)[A-Z0-9]{{6}}{_STOP}"),
    _pattern(Identifier.OTP, r"\b(?:otp|one[\s-]time[\s-]password|ओटीपी)\b\D{0,20}?(\d{4,8})\b"),
    _pattern(
        Identifier.REFERENCE,
        rf"{_START}(?:clm|pol|uhid|gmc|gpa|gtl|ccn|mem|emp|req|tkt|pay|ref|utr)[-/][A-Z0-9][A-Z0-9/-]*",
        _has_four_digits,
    ),
    _pattern(
        Identifier.REFERENCE,
        r"""\b(?:policy|claim|member|employee|customer|account|a/c|card|uhid|intimation|पॉलिसी|क्लेम|दावा|खाता)
        \s*(?:no|num|number|id|नंबर|संख्या|सं|नं)\b[\s.:#-]*(?:is\s|hai\s|है\s)?\s*
        ([A-Z0-9][A-Z0-9/-]{3,})""",
        _has_four_digits,
    ),
    _pattern(Identifier.PHONE, rf"{_START}(?:\+?91[\s-]?|0)?[6-9](?:[\s-]?\d){{9}}{_STOP}"),
    _pattern(Identifier.PHONE, rf"{_START}0\d{{2,4}}[\s-]\d{{6,8}}{_STOP}"),  # landline with area code
    _pattern(Identifier.PHONE, r"\+\d{1,3}(?:[\s-]?\d){7,12}\b"),  # any other country
    _pattern(Identifier.NUMBER, rf"{_START}[A-Z]{{0,6}}\d{{9,18}}{_STOP}"),  # account, transaction, UTR
)
