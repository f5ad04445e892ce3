"""Speed and recall of the two legs on 10,000 rows, and of the question's vector.

Rows are the demo corpus repeated with seeded noise on its vectors, in a throw-away database; one client,
warm, tenant filter on, all in turns on the same questions, the median of five rounds, in wall and CPU time.
Ties count: a row as near as the twentieth is a hit.
"""

import asyncio
import hashlib
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from django.conf import settings
from django.db import connection

from plancover_assist import db
from plancover_assist.embedding.factory import get_embedder
from plancover_assist.identity.context import TenantScope
from retrieval import fusion, selectors, services
from retrieval.candidates import Fused
from retrieval.lexical import KeywordQuery
from retrieval.loading import load_corpus
from retrieval.preparing import PreparedChunk, PreparedCorpus, PreparedDocument, prepare
from retrieval.questions import Question, analyse
from retrieval.search import find_keyword_matches, search
from retrieval.selectors import Embedding, ScopeFacts, View
from retrieval.tests.papers import IN_FORCE
from retrieval.types import SearchQuery
from retrieval.vectors import Vector, read_vectors
from tests.bench.measuring import Measured, Work, interleave, peak_megabytes

ROWS = 10_000
ROUNDS = 5
TOP = 20
NOISE = 0.02  # a coordinate's deviation: copies stay near their original and apart from each other
SCOPE = TenantScope("ten_a")
QUESTIONS = Path("retrieval/tests/data/gate_questions.jsonl")


@dataclass(frozen=True, slots=True)
class Case:
    """One question, ready for both legs."""

    text: str
    question: Question
    embedding: Embedding
    query: KeywordQuery


@contextmanager
def throwaway_database() -> Iterator[None]:
    """A database of its own in the same server; the product's index is not touched."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def build_rows() -> View:
    """Write 10,000 rows and publish them."""
    embedder = get_embedder()
    corpus = prepare(load_corpus(settings.CORPUS_DIR), None, None)
    vectors = read_vectors(settings.CORPUS_DIR, embedder.model_id)
    random = np.random.default_rng(20_261_130)
    documents: list[PreparedDocument] = []
    noisy: dict[str, Vector] = {}
    for copy in range(-(-ROWS // corpus.chunk_count)):
        for document in corpus.documents:
            clone = _clone(document, copy, ROWS - sum(len(d.chunks) for d in documents))
            noisy |= {c.content_hash: _noisy(vectors[_original(c)], random) for c in clone.chunks}
            documents.append(clone)
    prepared = PreparedCorpus(tuple(documents), (), corpus.replacements)
    generation = services.build_generation(services.Build(prepared, noisy, embedder.model_id, ""))
    services.publish(generation)
    services.refresh_planner_statistics()
    return View(generation.pk, SCOPE, IN_FORCE)


def _clone(document: PreparedDocument, copy: int, room: int) -> PreparedDocument:
    chunks = tuple(replace(c, content_hash=f"{copy}:{c.content_hash[:50]}") for c in document.chunks[:room])
    digest = hashlib.sha256(f"{copy} {document.source_hash}".encode()).hexdigest()
    return replace(document, source_hash=digest, chunks=chunks)


def _original(chunk: PreparedChunk) -> str:
    return hashlib.sha256(chunk.passage.indexed_text.encode()).hexdigest()


def _noisy(vector: Vector, random: np.random.Generator) -> Vector:
    moved = vector.astype(np.float32) + random.normal(0, NOISE, vector.shape).astype(np.float32)
    return np.asarray(moved / np.linalg.norm(moved), dtype=np.float16)


def build_cases(view: View, facts: ScopeFacts) -> list[Case]:
    """Prepare every question of the gate's set."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(line)["text"], view, facts) for line in lines]


def _case(text: str, view: View, facts: ScopeFacts) -> Case:
    question = analyse(text, facts.vocabulary)
    embedding = get_embedder().embed_query(question.vector_text)
    query, _ = find_keyword_matches(view, question, facts)
    return Case(text, question, embedding, query)


async def retrieve(view: View, facts: ScopeFacts, case: Case) -> list[Fused]:
    """Both legs at once, the union scored and fused: what a search does between question and features."""
    near, (query, matches) = await asyncio.gather(
        db.call(selectors.list_nearest, view, case.embedding),
        db.call(find_keyword_matches, view, case.question, facts),
    )
    ids = list({hit.chunk_id for hit in (*near, *matches)})
    scored = await db.call(selectors.list_scores, view, ids, case.embedding, query)
    return fusion.absolute(scored)[:TOP]


def exact_scores(view: View, case: Case) -> dict[str, list[float]]:
    """Return the best scores over every visible row, without any index: vector, keyword, fused."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM retrieval_chunk")
        ids = [row[0] for row in cursor.fetchall()]
    scored = selectors.list_scores(view, ids, case.embedding, case.query)
    return {
        "vector": sorted((item.cosine or 0.0 for item in scored), reverse=True)[:TOP],
        "keyword": sorted((item.coverage or 0.0 for item in scored), reverse=True)[:TOP],
        "fused": [item.score for item in fusion.absolute(scored)[:TOP]],
    }


def recall(found: Sequence[float], exact: Sequence[float]) -> float:
    """Return the share of the exact top that was found; a score equal to the last one counts."""
    wanted = [score for score in exact if score > 0]
    if not wanted:
        return 1.0
    return min(1.0, sum(score >= wanted[-1] - 1e-5 for score in found) / len(wanted))


async def recalls(view: View, facts: ScopeFacts, cases: Sequence[Case]) -> dict[str, float]:
    """Return the mean recall@20 of each leg and of their fusion."""
    totals: dict[str, list[float]] = {"vector": [], "keyword": [], "fused": []}
    for case in cases:
        exact = await db.call(exact_scores, view, case)
        near = await db.call(selectors.list_nearest, view, case.embedding, TOP)
        query, matches = await db.call(find_keyword_matches, view, case.question, facts)
        total = query.total_idf or 1.0
        found = {
            "vector": [hit.score for hit in near],
            "keyword": [hit.score / total for hit in matches[:TOP]],
            "fused": [item.score for item in await retrieve(view, facts, case)],
        }
        for name, scores in found.items():
            totals[name].append(recall(scores, exact[name]))
    return {name: statistics.mean(values) for name, values in totals.items()}


async def report() -> list[str]:
    """Build the rows, measure, and return the lines to print."""
    view = await db.call(build_rows)
    facts = await db.call(selectors.get_scope_facts, view.generation_id, SCOPE)
    cases = await db.call(build_cases, view, facts)
    works: dict[str, Work[Case]] = {
        "legs": lambda case: retrieve(view, facts, case),
        "vector": _embed,
        "whole": lambda case: search(SearchQuery(case.text, SCOPE, IN_FORCE, "en")),
    }
    took = await interleave(cases, works, rounds=ROUNDS)
    found = await recalls(view, facts, cases)
    return [
        f"retrieval, {ROWS} rows, {facts.n_chunks} visible, {len(cases)} questions, {ROUNDS} rounds",
        f"  two legs and fusion   {took['legs'].wall}   (wanted: p50 <= 5, p95 <= 12)",
        f"  recall@{TOP} vs exact    "
        + ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        + "   (wanted: >= 0.98)",
        f"  question vector       {took['vector'].wall}   (wanted: p50 <= 15)",
        f"  whole search          {took['whole'].wall}",
        *_costs(took),
    ]


def _costs(took: Mapping[str, Measured]) -> list[str]:
    """What the same runs cost this process; Postgres' own share is not in it."""
    return [
        f"  CPU of two legs       {took['legs'].cpu}",
        f"  CPU of the vector     {took['vector'].cpu}",
        f"  CPU of whole search   {took['whole'].cpu}",
        f"  peak memory           {peak_megabytes():.0f} MB, making the rows included",
    ]


async def _embed(case: Case) -> None:
    get_embedder().embed_query(case.question.vector_text)


def main() -> list[str]:
    """Return the lines to print; needs a database server that lets us make a database."""
    with throwaway_database():
        return asyncio.run(report())
