"""Writes to the index: build a generation, swap it in, clear away what it replaces.

Each function is one transaction. What a generation should hold is decided by `indexing` and `preparing`;
nothing here reads files or embeds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from retrieval import lexical
from retrieval.errors import ReindexLocked
from retrieval.models import Document, IndexGeneration, LexemeStatistics, ScopeStatistics
from retrieval.preparing import PreparedChunk, PreparedCorpus, PreparedDocument
from retrieval.vectors import Vector, to_literal

# An arbitrary constant of ours: the advisory lock that makes reindex runs wait their turn.
LOCK_KEY = 7_203_410_611
_COLUMNS = (
    'generation_id, document_id, ordinal, clause, heading, text, start, "end", lang, owner, effective_from,'
    " effective_to, replaced_from, replaced_to, content_hash, model_id, embedding, lex, kw, dl, tokens,"
    " heading_tokens"
)


@dataclass(frozen=True, slots=True)
class Build:
    """A generation to be written: its chunks, their vectors by content hash, and who made those."""

    corpus: PreparedCorpus
    vectors: Mapping[str, Vector]
    model_id: str
    fingerprint: str


@contextmanager
def reindex_lock() -> Iterator[None]:
    """Hold the one lock of all reindex runs; raises `ReindexLocked` at once when another holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_KEY])
        if not cursor.fetchone()[0]:
            raise ReindexLocked
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_KEY])


@transaction.atomic
def remove_leftovers() -> int:
    """Delete generations that are not live: retired ones, and those of runs that were killed."""
    deleted, _ = IndexGeneration.objects.exclude(state=IndexGeneration.State.LIVE).delete()
    Document.objects.filter(chunks__isnull=True).delete()
    return deleted


@transaction.atomic
def build_generation(build: Build) -> IndexGeneration:
    """Write a whole generation beside the live one; searches do not see it yet."""
    corpus = build.corpus
    chunks = [(document, chunk) for document in corpus.documents for chunk in document.chunks]
    generation = IndexGeneration.objects.create(
        model_id=build.model_id,
        documents=len(corpus.documents),
        chunks=len(chunks),
        fingerprint=build.fingerprint,
        avg_dl=float(np.mean([len(chunk.tokens) for _, chunk in chunks])) if chunks else 1.0,
    )
    _copy_chunks(_rows(build, generation))
    _store_statistics(generation, chunks, build.vectors)
    return generation


def _rows(build: Build, generation: IndexGeneration) -> Iterator[tuple[object, ...]]:
    for document in build.corpus.documents:
        document_id = _document_row(document).pk
        for ordinal, chunk in enumerate(document.chunks):
            replaced = build.corpus.replacement(document, chunk)
            vector = build.vectors.get(chunk.content_hash)
            dates = (replaced.first, replaced.last) if replaced else (None, None)
            yield (
                generation.pk,
                document_id,
                ordinal,
                *_passage_columns(document, chunk, dates),
                build.model_id if vector is not None else "",
                to_literal(vector) if vector is not None else None,
                *_keyword_columns(chunk, generation.avg_dl),
            )


def _passage_columns(
    document: PreparedDocument, chunk: PreparedChunk, replaced: tuple[date | None, date | None]
) -> tuple[object, ...]:
    passage, front = chunk.passage, document.front
    place = (passage.clause, passage.heading, passage.text, passage.start, passage.end)
    validity = (front.effective_from, front.effective_to, *replaced)
    return (*place, front.lang, front.tenant, *validity, chunk.content_hash)


def _keyword_columns(chunk: PreparedChunk, avg_dl: float) -> tuple[object, ...]:
    return (
        lexical.tsvector_literal(chunk.tokens),
        lexical.sparse_literal(lexical.chunk_weights(chunk.tokens, avg_dl)),
        len(chunk.tokens),
        f" {' '.join(chunk.tokens)} ",
        f" {' '.join(chunk.heading_tokens)} ",
    )


def _document_row(document: PreparedDocument) -> Document:
    front = document.front
    values = {name: getattr(front, name) for name in type(front).model_fields}
    values |= {"owner": values.pop("tenant"), "path": document.path}
    values |= {"supersedes": front.supersedes or "", "amends": list(front.amends)}
    row, _ = Document.objects.update_or_create(
        doc_id=values.pop("doc_id"), source_hash=document.source_hash, defaults=values
    )
    return row


def _copy_chunks(rows: Iterable[tuple[object, ...]]) -> None:
    """COPY, because one INSERT a row costs most of a large build."""
    ready = list(rows)  # the rows look documents up, and a connection cannot do both at once
    statement = f"COPY retrieval_chunk ({_COLUMNS}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in ready:
            copy.write_row(row)


def _store_statistics(
    generation: IndexGeneration,
    chunks: Iterable[tuple[PreparedDocument, PreparedChunk]],
    vectors: Mapping[str, Vector],
) -> None:
    """Count what later questions need: lengths and vector centres by scope and language, df by scope."""
    groups: defaultdict[tuple[str, str], list[PreparedChunk]] = defaultdict(list)
    df: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document, chunk in chunks:
        groups[document.front.tenant, document.front.lang].append(chunk)
        df[document.front.tenant].update(set(chunk.tokens))
    for (scope, lang), members in groups.items():
        ScopeStatistics.objects.create(
            generation=generation,
            scope=scope,
            lang=lang,
            n_chunks=len(members),
            avg_dl=float(np.mean([len(chunk.tokens) for chunk in members])),
            centre=_centre([vectors[c.content_hash] for c in members if c.content_hash in vectors]),
        )
    _store_frequencies(generation, df)


def _store_frequencies(generation: IndexGeneration, df: Mapping[str, Counter[str]]) -> None:
    rows = (
        LexemeStatistics(generation=generation, scope=scope, lexeme=lexeme, df=count)
        for scope, counts in df.items()
        for lexeme, count in counts.items()
    )
    LexemeStatistics.objects.bulk_create(rows, batch_size=5000)


def _centre(vectors: list[Vector]) -> list[float] | None:
    if not vectors:
        return None
    mean: list[float] = np.mean(np.array(vectors, dtype=np.float32), axis=0).tolist()
    return mean


@transaction.atomic
def publish(generation: IndexGeneration) -> None:
    """Make a built generation the live one: readers see the old one whole, then the new one whole."""
    states = IndexGeneration.State
    IndexGeneration.objects.filter(state=states.LIVE).update(state=states.RETIRED)
    IndexGeneration.objects.filter(pk=generation.pk, state=states.BUILDING).update(
        state=states.LIVE, live_at=timezone.now()
    )


def refresh_planner_statistics() -> None:
    """Tell the planner about the new rows; without it a fresh table is scanned from end to end."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE retrieval_chunk")
        cursor.execute("ANALYZE retrieval_lexemestatistics")
