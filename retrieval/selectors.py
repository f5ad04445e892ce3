"""Reads of the index. Every read of chunks takes a `TenantScope` and filters by it inside the query.

The filter also holds the live generation and the day asked about, so what is not in force is never a
candidate. Plain sync functions; async code reaches them through `plancover_assist.db`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db import connection
from django.db.models import Sum

from plancover_assist.identity.context import TenantScope
from retrieval.candidates import Content, Hit, Scored
from retrieval.keeping import Keep
from retrieval.lexical import KeywordQuery
from retrieval.models import Document, IndexGeneration, LexemeStatistics, ScopeStatistics
from retrieval.vectors import to_literal

Embedding = npt.NDArray[np.float32]

LEG_SIZE = 60  # rows a leg returns: ten more than features order, and both scores are fetched for the union
# A wider beam than the rows asked for: at 10,000 rows it keeps recall@20 above 0.98 under a tenant filter.
EF_SEARCH = 140
LEG_TIMEOUT_MS = 1500  # a statement slower than this is given up by the database itself

# Inserted for {visible} in every statement that reads chunks.
_VISIBLE = """
    generation_id = %(generation)s AND owner = ANY(%(owners)s)
    AND effective_from <= %(on)s AND (effective_to IS NULL OR effective_to >= %(on)s)
    AND (replaced_from IS NULL OR replaced_from > %(on)s OR replaced_to < %(on)s)
"""
# Statements sent together are one implicit transaction, so SET LOCAL reaches the SELECT and no further.
_SETTINGS = f"""
    SET LOCAL statement_timeout = {LEG_TIMEOUT_MS};
    SET LOCAL hnsw.ef_search = {EF_SEARCH};
    SET LOCAL hnsw.iterative_scan = relaxed_order;
"""


@dataclass(frozen=True, slots=True)
class View:
    """The part of the index one question may see: one generation, one scope, one day."""

    generation_id: int
    scope: TenantScope
    on: date

    @property
    def parameters(self) -> dict[str, Any]:
        return {"generation": self.generation_id, "owners": list(self.scope.visible), "on": self.on}


@dataclass(frozen=True, slots=True)
class ScopeFacts:
    """What is known of a scope as a whole: how many chunks, in how many of them each lexeme stands, the
    lexemes alone, and by language the centre of the vectors, shape (384,)."""

    n_chunks: int
    frequencies: Mapping[str, int]
    vocabulary: frozenset[str]
    centres: Mapping[str, Embedding]


def find_live_generation() -> IndexGeneration | None:
    """Return the generation searches read, or None before the first reindex."""
    return IndexGeneration.objects.filter(state=IndexGeneration.State.LIVE).first()


def list_live_sources(live: IndexGeneration | None) -> dict[str, str]:
    """Return doc_id -> hash of the file, for the documents of a generation."""
    rows = Document.objects.filter(chunks__generation=live) if live else Document.objects.none()
    return dict(rows.distinct().values_list("doc_id", "source_hash"))


def get_scope_facts(generation_id: int, scope: TenantScope) -> ScopeFacts:
    """Return the facts of a scope; a generation never changes, so they are kept in the process."""
    return _facts.get((generation_id, scope))


def _read_scope_facts(key: tuple[int, TenantScope]) -> ScopeFacts:
    generation_id, scope = key
    rows = list(ScopeStatistics.objects.filter(generation_id=generation_id, scope__in=scope.visible))
    words = LexemeStatistics.objects.filter(generation_id=generation_id, scope__in=scope.visible)
    frequencies = dict(words.values_list("lexeme").annotate(total=Sum("df")))
    return ScopeFacts(
        n_chunks=sum(row.n_chunks for row in rows),
        frequencies=frequencies,
        vocabulary=frozenset(frequencies),
        centres={lang: _centre(group) for lang, group in _by_language(rows).items()},
    )


_facts = Keep(_read_scope_facts, size=lambda: int(settings.SCOPE_FACTS_KEPT))


def _by_language(rows: Iterable[ScopeStatistics]) -> dict[str, list[ScopeStatistics]]:
    groups: defaultdict[str, list[ScopeStatistics]] = defaultdict(list)
    for row in rows:
        if row.centre is not None:
            groups[row.lang].append(row)
    return groups


def _centre(rows: Sequence[ScopeStatistics]) -> Embedding:
    centres = np.array([np.asarray(row.centre, dtype=np.float32) for row in rows])
    weights = [row.n_chunks for row in rows]
    return np.asarray(np.average(centres, axis=0, weights=weights), dtype=np.float32)


def list_nearest(view: View, embedding: Embedding, limit: int = LEG_SIZE) -> list[Hit]:
    """The vector leg: visible chunks by cosine, best first.

    Args:
        embedding: the question's vector, shape (384,), of unit length.
    """
    statement = """
        SELECT id, owner, 1 - (embedding <=> %(vector)s::halfvec) FROM retrieval_chunk
        WHERE {visible} AND embedding IS NOT NULL
        ORDER BY embedding <=> %(vector)s::halfvec LIMIT %(limit)s
    """
    vector = to_literal(embedding)
    rows = _read(statement, view.parameters | {"vector": vector, "limit": limit})
    return sorted((Hit(*row) for row in rows), key=lambda hit: (-hit.score, hit.chunk_id))


def list_keyword_matches(view: View, query: KeywordQuery, limit: int = LEG_SIZE) -> list[Hit]:
    """The keyword leg: chunks with the question's rarest words, by BM25, best first.

    The inner limit is only a safety net: which rows it keeps is arbitrary, the choice of words bounds them.
    """
    statement = """
        SELECT id, owner, -(kw <#> %(terms)s::sparsevec) AS score FROM (
            SELECT id, owner, kw FROM retrieval_chunk
            WHERE lex @@ %(candidates)s::tsquery AND {visible} LIMIT %(net)s
        ) AS candidate
        ORDER BY score DESC, id LIMIT %(limit)s
    """
    words = {"terms": query.vector, "candidates": query.candidates}
    rows = _read(statement, view.parameters | words | {"net": 4 * query.cap, "limit": limit})
    return [Hit(*row) for row in rows]


def list_scores(
    view: View, chunk_ids: Sequence[int], embedding: Embedding | None, query: KeywordQuery
) -> list[Scored]:
    """Return both scores of the given chunks, in one statement and under the same filter."""
    statement = """
        SELECT id, lang, 1 - (embedding <=> %(vector)s::halfvec), -(kw <#> %(terms)s::sparsevec)
        FROM retrieval_chunk WHERE id = ANY(%(ids)s) AND {visible}
    """
    vector = None if embedding is None else to_literal(embedding)
    values = {"ids": list(chunk_ids), "vector": vector, "terms": query.vector}
    total = query.total_idf or 1.0
    rows = _read(statement, view.parameters | values)
    return [Scored(row[0], row[1], row[2], row[3] / total) for row in rows]


def list_contents(view: View, chunk_ids: Sequence[int]) -> list[Content]:
    """Return the chunks with their papers' particulars, in no particular order."""
    statement = """
        SELECT c.id, d.doc_id, d.title, d.doc_type, c.owner, c.lang, c.clause, c.heading, c.text,
            c.effective_from, d.version, d.amends, c.tokens, c.heading_tokens
        FROM (SELECT * FROM retrieval_chunk WHERE id = ANY(%(ids)s) AND {visible}) AS c
        JOIN retrieval_document AS d ON d.id = c.document_id
    """
    rows = _read(statement, view.parameters | {"ids": list(chunk_ids)})
    return [Content._make(row) for row in rows]


def _read(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run one statement under the legs' own settings, in one round trip."""
    with connection.cursor() as cursor:
        cursor.execute(_SETTINGS + statement.replace("{visible}", _VISIBLE), parameters)
        while cursor.description is None:
            cursor.nextset()
        return list(cursor.fetchall())
