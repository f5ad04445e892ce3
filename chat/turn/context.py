"""Builds the answer prompt from the state: plain Python, no model call, no I/O.

The same state gives the same bytes. The order is fixed, never scored again; duplicates are dropped; the
evidence and history budgets are counted in characters. Everything untrusted is fenced.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from chat.turn.events import Citation
from chat.turn.state import PromptMessage, TurnState, Utterance
from plancover_assist.fencing import QUESTION_TAG, SOURCE_TAG, fence, neutralise
from plancover_assist.identity.context import PUBLIC
from plancover_assist.settings.bounds import Bounds
from plancover_assist.text.tokens import truncate
from retrieval.types import Evidence

QUOTE_CHARS = 400  # characters of a source's passage that the page previews

_PROMPTS = Path(__file__).parent / "prompts"


@cache
def _system_prompt() -> str:
    return (_PROMPTS / "answer_system.txt").read_text(encoding="utf-8")


def build(state: TurnState, bounds: Bounds) -> tuple[tuple[PromptMessage, ...], tuple[Citation, ...]]:
    """Return the messages of the answer call and the citations they offer, numbered from 1."""
    evidence = within_budget(state.knowledge.evidence, bounds)
    messages = (
        PromptMessage(role="system", content=_system_prompt()),
        *(
            PromptMessage(role=past.role, content=neutralise(past.content))
            for past in recent_history(state.history, bounds)
        ),
        PromptMessage(role="user", content=_user_message(state, evidence)),
    )
    return messages, tuple(_citation(n, item) for n, item in enumerate(evidence, start=1))


def within_budget(evidence: Sequence[Evidence], bounds: Bounds) -> tuple[Evidence, ...]:
    """Return the first distinct pieces that fit; a piece that does not fit whole is left out.

    Only a first piece that alone exceeds the budget is cut, so that an answer never lacks its best source.
    """
    kept: list[Evidence] = []
    left = bounds.MAX_EVIDENCE_CHARS
    for item in _distinct(evidence):
        if len(kept) == bounds.MAX_EVIDENCE_CHUNKS:
            break
        fitting = item if kept else _cut(item, left)
        if len(fitting.text) <= left:
            kept.append(fitting)
            left -= len(fitting.text)
    return tuple(kept)


def _cut(item: Evidence, chars: int) -> Evidence:
    return item if len(item.text) <= chars else item.model_copy(update={"text": truncate(item.text, chars)})


def recent_history(history: Sequence[Utterance], bounds: Bounds) -> tuple[Utterance, ...]:
    """Return the newest whole utterances within the turn and character budgets, oldest first."""
    kept: list[Utterance] = []
    left = bounds.MAX_HISTORY_CHARS
    for past in reversed(history[-2 * bounds.MAX_HISTORY_TURNS :]):
        if len(past.content) > left:
            break
        kept.append(past)
        left -= len(past.content)
    return tuple(reversed(kept))


def _distinct(evidence: Iterable[Evidence]) -> Iterable[Evidence]:
    seen: set[str] = set()
    for item in evidence:
        key = " ".join(item.text.split())
        if key not in seen:
            seen.add(key)
            yield item


def _user_message(state: TurnState, evidence: Sequence[Evidence]) -> str:
    sources = [_fenced(n, item) for n, item in enumerate(evidence, start=1)]
    day = state.plan.asked_on if state.plan else ""
    question = fence(QUESTION_TAG, state.question, {"lang": state.lang, "today": day})
    return "\n\n".join([*sources, question])


def _fenced(number: int, item: Evidence) -> str:
    attributes = {
        "n": str(number),
        "doc": item.doc_id,
        "title": item.title,
        "clause": item.clause,
        "heading": item.heading,
        "type": item.doc_type,
        "from": item.effective_from,
        "lang": item.lang,
    }
    return fence(SOURCE_TAG, item.text, attributes)


def _citation(number: int, item: Evidence) -> Citation:
    return Citation(
        n=number,
        doc_id=item.doc_id,
        title=item.title,
        clause=item.clause,
        page=item.page,
        quote=truncate(item.text, QUOTE_CHARS),
        effective_from=item.effective_from,
        version=item.version,
        owner="public" if item.owner == PUBLIC else "employer",
    )
