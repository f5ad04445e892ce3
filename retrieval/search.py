"""One search from question to evidence: both legs at once, fusion, order, gate.

The only way into the index for the rest of the product. Takes a `TenantScope` with every question and
checks each returned row against it again; it knows nothing of members, conversations or prompts.
"""

import asyncio
import contextvars
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError

from plancover_assist import db
from plancover_assist.embedding.embedder import normalise
from plancover_assist.embedding.factory import EmbedderUnavailable, get_embedder
from plancover_assist.errors import ForeignRow
from plancover_assist.identity.context import TenantScope
from retrieval import authority, features, fusion, gate, languages, selectors, subject, worlds
from retrieval.candidates import Hit, Ranked
from retrieval.features import QuestionWord
from retrieval.lexical import KeywordQuery
from retrieval.questions import Question, analyse
from retrieval.selectors import Embedding, ScopeFacts, View
from retrieval.types import GateDecision, SearchQuery, SearchResult, Tier, Verdict

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

LEG_TIMEOUT_SECONDS = 2.0  # one leg, the question's vector included; the other leg then answers alone
FEATURE_DEPTH = 50  # fused chunks that features order
SHORTLIST = 20  # of them, after authority
EVIDENCE = 5  # offered to the answer
ENGLISH_SHARE = 0.5  # of the English reading beside the typed question: best of 0.25, 0.5 and 1 on Hinglish
_EMPTY_QUERY = KeywordQuery((), 0.0, 1)


def embed_question(text: str, model_id: str) -> Embedding:
    """Return the question's vector, shape (384,); raises `EmbedderUnavailable` also for another model's."""
    embedder = get_embedder()
    if embedder.model_id != model_id:
        raise EmbedderUnavailable(f"the index was made by {model_id or 'no encoder'}")
    return embedder.embed_query(text)


def find_keyword_matches(view: View, question: Question, facts: ScopeFacts) -> tuple[KeywordQuery, list[Hit]]:
    """Return the weighted question and its matches; none when no word of it is known."""
    query = question.keyword_query(facts.frequencies, facts.n_chunks)
    return query, [] if query.is_empty else selectors.list_keyword_matches(view, query)


@dataclass(frozen=True, slots=True)
class Legs:
    """What a search calls outside itself, replaceable one by one. All are sync and run on threads."""

    embed: Callable[[str, str], Embedding] = embed_question
    vector: Callable[[View, Embedding], list[Hit]] = selectors.list_nearest
    keyword: Callable[[View, Question, ScopeFacts], tuple[KeywordQuery, list[Hit]]] = find_keyword_matches
    is_foreign: Callable[[str], bool] = worlds.is_foreign
    timeout: float = LEG_TIMEOUT_SECONDS


@dataclass(slots=True)
class _Clock:
    """Milliseconds by stage."""

    timings: dict[str, float] = field(default_factory=dict)

    async def time(self, stage: str, work: Awaitable[T]) -> T:
        started = time.perf_counter()
        try:
            return await work
        finally:
            self.timings[stage] = round((time.perf_counter() - started) * 1000, 2)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A question with the part of the index that it may see."""

    view: View
    lang: str
    model_id: str
    facts: ScopeFacts
    question: Question


@dataclass(frozen=True, slots=True)
class _Found:
    """What the legs brought: hits of both, and what is needed to score their union."""

    hits: tuple[Hit, ...]
    embedding: Embedding | None
    keywords: KeywordQuery
    degraded: tuple[str, ...]


async def search(query: SearchQuery, *, legs: Legs | None = None) -> SearchResult:
    """Answer one standalone question with at most five pieces of evidence, or with none and the reason.

    Raises `ForeignRow` when a read returned a chunk outside the scope. A failed or slow leg is named in
    `degraded_legs`; with both gone, and before the first reindex, the verdict is `no_results`.
    """
    clock = _Clock()
    try:
        result = await _attempt(query, legs or Legs(), clock)
        # Nothing at all may mean that a reindex swapped the generation between two reads: ask the new one.
        return result or await _attempt(query, legs or Legs(), clock) or _nothing(clock, ())
    except DatabaseError:
        logger.exception("the index could not be read")
        return _nothing(clock, ("vector", "keyword"))


async def _attempt(query: SearchQuery, legs: Legs, clock: _Clock) -> SearchResult | None:
    """One pass over the live generation; None when its chunks vanished under way."""
    prepared = await clock.time("prepare", _prepare(query))
    if prepared is None or prepared.question.asks_nothing:
        return _nothing(clock, ())
    found = await clock.time("legs", _run_legs(prepared, legs, clock))
    if not found.hits:
        return _nothing(clock, found.degraded)
    ranked = await clock.time("rank", db.call(_rank, prepared, found))
    if not ranked:
        return None
    decision = await clock.time("judge", _judge(prepared, found, ranked, legs))
    return SearchResult(
        evidence=tuple(item.as_evidence() for item in ranked[:EVIDENCE]),
        gate=decision,
        tier=_tier(found),
        degraded_legs=found.degraded,
        timings_ms=clock.timings,
    )


async def _prepare(query: SearchQuery) -> _Prepared | None:
    live = await db.call(selectors.find_live_generation)
    if live is None:
        return None
    facts = await db.call(selectors.get_scope_facts, live.pk, query.scope)
    question = await _off_loop(analyse, query.text, facts.vocabulary)
    return _Prepared(View(live.pk, query.scope, query.on), query.lang, live.model_id, facts, question)


async def _run_legs(prepared: _Prepared, legs: Legs, clock: _Clock) -> _Found:
    (embedding, near), (keywords, matches) = await asyncio.gather(
        clock.time("vector", _guarded("vector", _vector_leg(prepared, legs), legs, (None, None))),
        clock.time("keyword", _guarded("keyword", _keyword_leg(prepared, legs), legs, (_EMPTY_QUERY, None))),
    )
    degraded = tuple(name for name, hits in (("vector", near), ("keyword", matches)) if hits is None)
    hits = (*(near or ()), *(matches or ()))
    _refuse_foreign(prepared.view.scope, hits)
    return _Found(hits, embedding, keywords, degraded)


async def _vector_leg(prepared: _Prepared, legs: Legs) -> tuple[Embedding, list[Hit]]:
    embedding = await _off_loop(_question_vector, prepared, legs)
    return embedding, await db.call(legs.vector, prepared.view, embedding)


def _question_vector(prepared: _Prepared, legs: Legs) -> Embedding:
    """The question as typed, drawn towards its English reading where there is one."""
    typed = legs.embed(prepared.question.vector_text, prepared.model_id)
    if not prepared.question.english:
        return typed
    return normalise(typed + ENGLISH_SHARE * legs.embed(prepared.question.english, prepared.model_id))


async def _keyword_leg(prepared: _Prepared, legs: Legs) -> tuple[KeywordQuery, list[Hit]]:
    return await db.call(legs.keyword, prepared.view, prepared.question, prepared.facts)


async def _guarded(name: str, leg: Awaitable[T], legs: Legs, otherwise: T) -> T:
    """Wait for a leg; when it fails or is slow, say so in the log and go on with `otherwise`."""
    try:
        return await asyncio.wait_for(leg, legs.timeout)
    except EmbedderUnavailable as problem:
        logger.info("the %s leg is off: %s", name, problem.message)
    except Exception:
        logger.exception("the %s leg failed", name)
    return otherwise


def _refuse_foreign(scope: TenantScope, hits: tuple[Hit, ...]) -> None:
    """The filter stands in every query; a row that got past it is a bug and must not become an answer."""
    for hit in hits:
        if not scope.may_see(hit.owner):
            raise ForeignRow(f"chunk {hit.chunk_id} is outside the scope of the question")


def _rank(prepared: _Prepared, found: _Found) -> list[Ranked]:
    """Score the union, fuse, order by features and authority; at most twenty, best first."""
    ids = list(dict.fromkeys(hit.chunk_id for hit in found.hits))
    scored = selectors.list_scores(prepared.view, ids, found.embedding, found.keywords)
    scored = languages.level(scored, languages.offsets(found.embedding, prepared.facts.centres))
    fused = fusion.strategy(settings.FUSION)(scored)[:FEATURE_DEPTH]
    contents = selectors.list_contents(prepared.view, [item.scored.chunk_id for item in fused])
    _refuse_foreign(prepared.view.scope, tuple(Hit(c.chunk_id, c.owner, 0.0) for c in contents))
    words = prepared.question.question_words(found.keywords)
    distinct = authority.without_near_duplicates(features.rank(fused, contents, words)[:SHORTLIST])
    ordered = authority.order(distinct, wants_terms=prepared.question.wants_terms)
    return authority.without_overruled(ordered)


async def _judge(prepared: _Prepared, found: _Found, ranked: list[Ranked], legs: Legs) -> GateDecision:
    """The gate, then the subject check; a near-miss keeps the gate's score and threshold."""
    decision = gate.decide(ranked, model_id=prepared.model_id, lang=prepared.lang)
    words = prepared.question.question_words(found.keywords)
    if decision.passed and await _off_loop(_subject_is_foreign, prepared, words, ranked, legs):
        return replace(decision, verdict=Verdict.NOT_COVERED_BY_SOURCES)
    return decision


def _subject_is_foreign(
    prepared: _Prepared, words: list[QuestionWord], ranked: list[Ranked], legs: Legs
) -> bool:
    """Tell whether the question is about something no source knows; in doubt it is not."""
    missing = subject.missing_words(words, ranked[:EVIDENCE], prepared.facts.vocabulary)
    if not subject.weighs_enough(missing, words):
        return False
    try:
        foreign = [word for word in missing if legs.is_foreign(word.typed)]
    except EmbedderUnavailable:
        return False
    return subject.weighs_enough(foreign, words)


def _tier(found: _Found) -> Tier:
    if found.embedding is None:
        return Tier.KEYWORD_ONLY
    return Tier.VECTOR_ONLY if "keyword" in found.degraded else Tier.FEATURES


def _nothing(clock: _Clock, degraded: tuple[str, ...]) -> SearchResult:
    decision = GateDecision(Verdict.NO_RESULTS, None, "fused", None)
    return SearchResult((), decision, Tier.FUSION_ONLY, degraded, clock.timings)


async def _off_loop(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run text work on its own single thread: the encoder is slower on two, and the loop stays free."""
    job = partial(contextvars.copy_context().run, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_question_thread(), job)


@lru_cache(maxsize=1)
def _question_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="question")
