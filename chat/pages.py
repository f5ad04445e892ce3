"""What the chat page shows around its transcript: the list of conversations, suggestions and notices.

Like the presenters it must not query: callers hand in rows already fetched.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.models import Conversation
from chat.presenters import DayView, TurnView
from plancover_assist.errors import AssistError
from plancover_assist.identity.context import AuthContext
from plancover_assist.settings.bounds import REQUEST_MAX_CHARS

MAX_THREADS = 50  # the latest; an older conversation keeps its address


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question to begin with, in a member's words; `lang` is its language tag."""

    text: str
    lang: str


GENERAL_SUGGESTIONS = {
    "en": (
        Suggestion("How does cashless treatment work, step by step?", "en"),
        Suggestion("Which papers does a reimbursement claim need?", "en"),
        Suggestion("What is proportionate deduction on room rent?", "en"),
        Suggestion("Claim reject ho gaya, ab kya karu?", "hi-Latn"),
    ),
    "hi": (
        Suggestion("कैशलेस इलाज कैसे होता है?", "hi"),
        Suggestion("रीइम्बर्समेंट क्लेम के लिए कौन से कागज़ चाहिए?", "hi"),
        Suggestion("प्री-एग्ज़िस्टिंग बीमारी की वेटिंग कितनी होती है?", "hi"),
        Suggestion("Claim reject ho gaya, ab kya karu?", "hi-Latn"),
    ),
}
MEMBER_SUGGESTIONS = {
    "en": (
        Suggestion("What is the cataract limit per eye?", "en"),
        Suggestion("How many days do I have to file a reimbursement claim?", "en"),
        Suggestion("Which room may I take in hospital?", "en"),
        Suggestion("Maternity me normal delivery ka limit kitna hai?", "hi-Latn"),
    ),
    "hi": (
        Suggestion("मोतियाबिंद के लिए प्रति आँख कितनी सीमा है?", "hi"),
        Suggestion("रीइम्बर्समेंट क्लेम कितने दिन में भेजना है?", "hi"),
        Suggestion("अस्पताल में मुझे कौन सा कमरा मिल सकता है?", "hi"),
        Suggestion("Maternity me normal delivery ka limit kitna hai?", "hi-Latn"),
    ),
}


def refusal_words(error: AssistError) -> str:
    """Return the error's sentence in the language that is active; a test finds those that have no Hindi."""
    return _(error.message)


@dataclass(frozen=True, slots=True)
class ThreadRow:
    title: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything the templates read.

    `client_id` names the sends of this rendering's forms; `visit_url` is empty where there is a session.
    """

    conversation_id: str
    url: str
    title: str
    client_id: str
    draft: str
    notice: str
    days: tuple[DayView, ...]
    threads: tuple[ThreadRow, ...]
    suggestions: tuple[Suggestion, ...]
    offline_model: bool
    visit_url: str
    max_chars: int = REQUEST_MAX_CHARS

    @property
    def turns(self) -> tuple[TurnView, ...]:
        return tuple(entry for day in self.days for entry in day.entries if isinstance(entry, TurnView))

    @property
    def running(self) -> bool:
        return any(turn.running for turn in self.turns)

    @property
    def latest(self) -> str:
        return self.turns[-1].id if self.turns else ""

    @property
    def draft_key(self) -> str:
        """Drafts are kept by conversation; all that have not begun share one."""
        return self.conversation_id if self.days else "new"


def new_conversation_id() -> str:
    return "web-" + secrets.token_hex(12)


def present_page(
    auth: AuthContext,
    conversation_id: str,
    *,
    title: str = "",
    days: tuple[DayView, ...] = (),
    threads: Iterable[Conversation] = (),
    draft: str = "",
    notice: str = "",
) -> PageView:
    suggestions = MEMBER_SUGGESTIONS if auth.tenant_id else GENERAL_SUGGESTIONS
    return PageView(
        conversation_id=conversation_id,
        url=reverse("conversation", args=[conversation_id]),
        title=title,
        client_id=secrets.token_hex(12),
        draft=draft,
        notice=notice,
        days=days,
        threads=tuple(_present_thread(thread, conversation_id) for thread in threads),
        suggestions=suggestions.get(get_language() or "en", suggestions["en"]),
        visit_url="" if auth.signed_in or auth.visitor_key else reverse("visit"),
        offline_model=settings.ASSIST_ANSWER_MODELS == ["local"],
    )


def _present_thread(thread: Conversation, current_id: str) -> ThreadRow:
    return ThreadRow(
        title=thread.title or _("Conversation"),
        url=reverse("conversation", args=[thread.client_key]),
        current=thread.client_key == current_id,
    )
