"""Checks of a message before anything is written. Every transport's send passes here."""

import re
from dataclasses import dataclass

from chat.turn.guardrails.validation import Checked, check_input
from chat.turn.state import Utterance
from plancover_assist.errors import BadInput, MessageTooLong, NotSignedIn
from plancover_assist.identity.context import AuthContext
from plancover_assist.settings.bounds import REQUEST_MAX_CHARS, REQUEST_MAX_TURNS

CLIENT_KEY_PATTERN = r"[A-Za-z0-9._:-]{1,64}"  # ids that clients choose: conversations and sends
CHANNEL_CHARS = 16
LOCALE_CHARS = 35  # the longest language tag in use
_KEY = re.compile(CLIENT_KEY_PATTERN)
# Postgres stores no NUL, and a lone surrogate is half a character that no encoding can write.
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Send:
    """One message as a client sent it. `history` (oldest first) seeds an unknown conversation only."""

    conversation_id: str
    client_id: str
    text: str
    channel: str = "web"
    history: tuple[Utterance, ...] = ()
    locale: str = ""


def check(auth: AuthContext, send: Send) -> Checked:
    """Return the text to work with: cleaned, and without secrets that no row may hold.

    Raises the `AssistError` that names what is wrong with the message, if anything is.
    """
    if not auth.signed_in and not auth.visitor_key:
        raise NotSignedIn
    if len(send.text) > REQUEST_MAX_CHARS:
        raise MessageTooLong(field="text")
    _check_key(send.conversation_id, "conversation_id")
    _check_key(send.client_id, "client_id")
    _check_short(send.channel, CHANNEL_CHARS, "channel")
    _check_short(send.locale, LOCALE_CHARS, "locale")
    _check_history(send.history)
    return check_input(send.text)


def _check_key(value: str, field: str) -> None:
    if not _KEY.fullmatch(value):
        raise BadInput(
            "Identifiers are 1 to 64 letters, digits, dots, dashes, colons or underscores.", field=field
        )


def _check_short(value: str, chars: int, field: str) -> None:
    if len(value) > chars or _UNSTORABLE.search(value):
        raise BadInput(field=field)


def _check_history(history: tuple[Utterance, ...]) -> None:
    too_many = len(history) > 2 * REQUEST_MAX_TURNS
    if too_many or any(_is_bad(past.content) for past in history):
        raise BadInput("The history is too long or holds characters that are no text.", field="history")


def _is_bad(content: str) -> bool:
    return len(content) > REQUEST_MAX_CHARS or bool(_UNSTORABLE.search(content))
