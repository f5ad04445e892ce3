"""What the templates show: rows of the database as small frozen values, in the order of the page.

Every finished turn is presented here, for the whole page and for a fragment alike, so that a reload can
never look different from what was streamed. It must not query: callers hand in rows already fetched.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from chat.markup import render_answer
from chat.models import Action, EscalationReason, Message, Turn, TurnStatus
from chat.turn.events import Citation

LANG_TAGS = {"hinglish": "hi-Latn", "hi": "hi", "en": "en"}

# By the guardrail's detail; the same numbers, in the same order, as in chat/turn/sentences.toml.
_CALLS: Mapping[object, tuple[str, ...]] = {
    "acute.medical": ("112", "108"),
    "acute.self_harm": ("14416", "112"),
    "acute.violence": ("112", "181"),
    "acute.child": ("112", "1098"),
}


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One numbered source under an answer; `anchor` is the id of its element."""

    n: int
    anchor: str
    title: str
    clause: str
    page: int | None
    quote: str
    effective_from: date | None
    version: str
    of_employer: bool


@dataclass(frozen=True, slots=True)
class CallView:
    """A number to call in an emergency, and who answers there."""

    number: str
    answers: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What the assistant said, and what the page shows around it.

    `emergency` holds the numbers to call, the first one first; empty when there is no emergency.
    """

    html: SafeString
    copy_text: str
    lang: str
    at: datetime
    sources: tuple[SourceRow, ...]
    from_own_policy: bool
    emergency: tuple[CallView, ...]
    escalation_reference: str
    by_offline_model: bool
    search_degraded: bool
    incomplete: bool


@dataclass(frozen=True, slots=True)
class TurnView:
    """One question and what became of it. `ending` says why there is no whole answer, where there is none."""

    id: str
    attempt: int
    last_seq: int
    question: str
    question_lang: str
    at: datetime
    answer: AnswerView | None
    running: bool
    resumable: bool
    failed: bool
    ending: str


@dataclass(frozen=True, slots=True)
class StaffView:
    """A message by claims staff, outside any turn."""

    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DayView:
    """Everything said on one day; `label` is today, yesterday or the date in full."""

    day: date
    label: str
    entries: tuple[TurnView | StaffView, ...]


def present_transcript(messages: Iterable[Message]) -> tuple[DayView, ...]:
    """Group messages, oldest first, into turns and the turns into days.

    History that a client sent along to seed a thread is not shown: we cannot vouch for who said it.
    """
    ours = [message for message in messages if not message.from_client]
    answers = {m.turn_id: m for m in ours if m.author == Message.Author.ASSISTANT}
    days: dict[date, list[TurnView | StaffView]] = {}
    for message in ours:
        if message.author == Message.Author.ASSISTANT:
            continue
        entry = _present_entry(message, answers)
        days.setdefault(timezone.localdate(message.created_at), []).append(entry)
    return tuple(DayView(day, _day_label(day), tuple(entries)) for day, entries in days.items())


def _present_entry(message: Message, answers: Mapping[UUID | None, Message]) -> TurnView | StaffView:
    if message.turn is None or message.author == Message.Author.STAFF:
        return StaffView(message.text, message.created_at)
    return present_turn(message.turn, message, answers.get(message.turn_id))


def present_turn(turn: Turn, question: Message, answer: Message | None) -> TurnView:
    """Present one turn; its escalation must be fetched with it."""
    return TurnView(
        id=str(turn.pk),
        attempt=turn.attempt,
        last_seq=turn.last_seq,
        question=question.text,
        question_lang=LANG_TAGS.get(question.lang, ""),
        at=question.created_at,
        answer=_present_answer(turn, answer) if answer else None,
        running=turn.status == TurnStatus.RUNNING,
        resumable=turn.status == TurnStatus.INTERRUPTED,
        failed=turn.action == Action.ERROR,
        ending=_ending(turn),
    )


def _ending(turn: Turn) -> str:
    """Say why a turn has no whole answer; empty when it has one, or may still get it."""
    if turn.action == Action.STOPPED:
        return _("You stopped this answer.") if turn.stop_requested else _("This answer was interrupted.")
    if turn.action == Action.ERROR:
        return str((turn.terminal or {}).get("message") or _("Something went wrong on our side."))
    return ""


def _present_answer(turn: Turn, message: Message) -> AnswerView:
    terminal = turn.terminal or {}
    sources = tuple(_present_source(turn, citation) for citation in _cited(message, terminal))
    return AnswerView(
        html=render_answer(message.text, {row.n: (row.anchor, source_name(row)) for row in sources}),
        copy_text=_copy_text(message.text, sources),
        lang=LANG_TAGS.get(message.lang, ""),
        at=message.created_at,
        sources=sources,
        from_own_policy=any(row.of_employer for row in sources),
        emergency=_calls(terminal) if turn.reason == EscalationReason.ACUTE else (),
        escalation_reference=_reference(turn),
        by_offline_model=terminal.get("provider") == "local",
        search_degraded=bool(terminal.get("degraded_legs")),
        incomplete=message.incomplete,
    )


def _calls(terminal: Mapping[str, object]) -> tuple[CallView, ...]:
    """Return the numbers of the emergency that the guardrail named, or of a medical one if it named none."""
    decisions = terminal.get("guardrail_decisions")
    details = [row.get("detail") for row in decisions] if isinstance(decisions, list) else []
    numbers = next((_CALLS[detail] for detail in details if detail in _CALLS), _CALLS["acute.medical"])
    answers = {
        "112": _("any emergency"),
        "108": _("ambulance"),
        "14416": _("Tele-MANAS, someone to talk to"),
        "181": _("women's helpline"),
        "1098": _("Childline, for children"),
    }
    return tuple(CallView(number, answers[number]) for number in numbers)


def _reference(turn: Turn) -> str:
    escalation = getattr(turn, "escalation", None)
    return escalation.reference if escalation else ""


def _cited(message: Message, terminal: Mapping[str, object]) -> list[Citation]:
    """The sources the answer cites; an answer that was cut off shows all that were offered."""
    rows = terminal.get("citations") if terminal.get("type") == "final" else message.citations
    return [Citation.model_validate(row) for row in (rows if isinstance(rows, list) else [])]


def _present_source(turn: Turn, citation: Citation) -> SourceRow:
    return SourceRow(
        n=citation.n,
        anchor=f"source-{turn.pk}-{citation.n}",
        title=citation.title,
        clause=_clause_label(citation.clause),
        page=citation.page,
        quote=citation.quote,
        effective_from=date.fromisoformat(citation.effective_from) if citation.effective_from else None,
        version=citation.version,
        of_employer=citation.owner == "employer",
    )


def _clause_label(clause: str) -> str:
    """A bare number needs its word; a heading speaks for itself."""
    return _("clause %(number)s") % {"number": clause} if clause[:1].isdigit() else clause


def source_name(row: SourceRow) -> str:
    return f"{row.title}, {row.clause}" if row.clause else row.title


def _copy_text(text: str, sources: Iterable[SourceRow]) -> str:
    lines = [f"[{row.n}] {source_name(row)}" for row in sources]
    return "\n".join([text, "", *lines]) if lines else text


def _day_label(day: date) -> str:
    age = (timezone.localdate() - day).days
    return {0: _("Today"), 1: _("Yesterday")}.get(age) or date_format(day, "j F Y")
