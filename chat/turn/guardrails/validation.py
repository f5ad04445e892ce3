"""Looks at a message before anything else does: is there text in it, and does it hold a secret?

Secrets that no claim ever needs (OTP, PIN, CVV, card number, password) are masked before the message
reaches a prompt, a search or a row. Account and identity numbers are left: the member may need to mention
them, and logs are redacted elsewhere.
"""

import unicodedata
from dataclasses import dataclass

import regex

from chat.turn.events import GuardrailDecision
from plancover_assist.errors import EmptyMessage
from plancover_assist.text.redaction import Identifier, find_identifiers

GUARDRAIL = "input_validation"

# Everything unprintable but line ends and tabs; the two joiners stay, they shape Devanagari letters.
_UNPRINTABLE = regex.compile(r"(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]")
_LETTER_OR_DIGIT = regex.compile(r"[\p{L}\p{N}]")
_SECRET_KINDS = frozenset({Identifier.SECRET, Identifier.OTP, Identifier.CARD})
# A short number right after the word for a secret; "PIN code 560001" is an address and stays.
_NAMED_SECRET = regex.compile(
    r"\b(?:otp|o\.t\.p|cvv|cvc|m?pin(?!\s*code)|upi\s*pin|atm\s*pin|passcode|ओटीपी|पिन(?!\s*कोड)|सीवीवी)\b"
    r"(?:\s*(?:no|number|is|hai|he|was|:|=|-|नंबर|है)){0,3}\s*(\p{Nd}{3,8})(?!\p{Nd})",
    regex.IGNORECASE,
)
_PASSWORD = regex.compile(
    r"\b(?:password|passwd|pwd|पासवर्ड)\b\s*(?:is|hai|है|:|=|-)\s*(\S+)", regex.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The text to work with, and what the guardrail says about it."""

    text: str
    decision: GuardrailDecision


def check_input(text: str) -> Checked:
    """Return the message cleaned and without secrets. Raises EmptyMessage when nothing readable is left."""
    cleaned = clean(text)
    if not _LETTER_OR_DIGIT.search(cleaned):
        raise EmptyMessage(field="text")
    masked, kinds = mask_secrets(cleaned)
    outcome = GuardrailDecision(
        guardrail=GUARDRAIL, outcome="flagged" if kinds else "passed", detail=", ".join(kinds)
    )
    return Checked(masked, outcome)


def clean(text: str) -> str:
    """Return the text in NFC without control and other unprintable characters, trimmed."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", _UNPRINTABLE.sub("", unified)).strip()


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each secret replaced by its kind in brackets, and the kinds found, sorted."""
    found = _secrets(text)
    masked = text
    for start, end, kind in sorted(found, reverse=True):
        masked = f"{masked[:start]}[{kind}]{masked[end:]}"
    return masked, tuple(sorted({kind for _, _, kind in found}))


def _secrets(text: str) -> list[tuple[int, int, str]]:
    identifiers = (one for one in find_identifiers(text) if one.kind in _SECRET_KINDS)
    found = [(one.start, one.end, str(one.kind)) for one in identifiers]
    for pattern, kind in ((_NAMED_SECRET, "otp or pin"), (_PASSWORD, "password")):
        for match in pattern.finditer(text):
            start, end = match.span(1)
            if all(end <= taken or start >= until for taken, until, _ in found):
                found.append((start, end, kind))
    return found
