"""Reindex: make the index hold what the corpus folder holds, at the cost of what changed.

A new generation is built beside the live one and swapped in whole. Vectors come from the live generation,
then from the file that ships with the corpus, and only then from the encoder. A broken document is named
and skipped; its last good version stays.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from plancover_assist.embedding.factory import Embedder, EmbedderUnavailable, get_embedder
from plancover_assist.errors import Misconfigured
from retrieval import services
from retrieval.errors import UnknownTenant
from retrieval.loading import LoadedCorpus, SkippedDocument, load_corpus
from retrieval.models import IndexGeneration
from retrieval.preparing import PreparedCorpus, fingerprint, live_vectors, prepare
from retrieval.selectors import find_live_generation, list_live_sources
from retrieval.vectors import Vector, read_vectors, write_vectors

logger = logging.getLogger(__name__)
_BATCH = 8  # passages a call of the encoder; larger batches gain nothing on one thread


class Progress(Protocol):
    """Where a run tells how far it is; a terminal shows a bar, a log shows lines."""

    def begin(self, total: int, what: str) -> None: ...
    def advance(self, steps: int) -> None: ...
    def end(self) -> None: ...


class Silent:
    """Progress that nobody watches."""

    def begin(self, total: int, what: str) -> None:
        """Nobody asked."""

    def advance(self, steps: int) -> None:
        """Nobody asked."""

    def end(self) -> None:
        """Nobody asked."""


@dataclass(frozen=True, slots=True)
class ReindexRequest:
    """What to index. `tenant` limits it to one owner's folder, `public` included."""

    corpus: Path
    tenant: str | None = None
    dry_run: bool = False
    write_vectors: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Documents by doc_id, the corpus against the live index."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """What a run did, or in a dry run would do. Counts of documents, then of chunks."""

    generation: int | None
    model_id: str
    difference: Difference
    documents: int
    chunks: int
    vectors_kept: int
    vectors_shipped: int
    vectors_computed: int
    skipped: tuple[SkippedDocument, ...]
    dry_run: bool
    swapped: bool


@dataclass(frozen=True, slots=True)
class _VectorPlan:
    """Where each needed vector comes from; `missing` holds (content hash, text) to embed."""

    kept: dict[str, Vector]
    shipped: dict[str, Vector]
    missing: tuple[tuple[str, str], ...]


def reindex(
    request: ReindexRequest,
    *,
    progress: Progress | None = None,
    load_embedder: Callable[[], Embedder] = get_embedder,
) -> ReindexReport:
    """Bring the live index up to date.

    Raises `ReindexLocked` when another run is at work and `UnknownTenant` for an owner without a folder.
    Without an encoder the vectors of unchanged passages stay and new passages are found by keyword only.
    """
    with services.reindex_lock():
        corpus = load_corpus(request.corpus)
        _check_not_empty(corpus, request.corpus)
        _check_tenant(corpus, request.tenant)
        if not request.dry_run:
            services.remove_leftovers()
        return _run(request, corpus, progress or Silent(), _load(load_embedder))


def _check_not_empty(corpus: LoadedCorpus, folder: Path) -> None:
    """A folder without any paper is a mistyped one: it must not take every document out of the live index."""
    if not corpus.documents and not corpus.skipped:
        raise Misconfigured(f"There are no documents in {folder}; CORPUS_DIR names the folder to index.")


def _check_tenant(corpus: LoadedCorpus, tenant: str | None) -> None:
    owners = {document.front.tenant for document in corpus.documents}
    if tenant is not None and tenant not in owners | {s.path.split("/")[0] for s in corpus.skipped}:
        raise UnknownTenant(f"The corpus has no documents of {tenant}.", field="tenant")


def _run(
    request: ReindexRequest, corpus: LoadedCorpus, progress: Progress, embedder: Embedder | None
) -> ReindexReport:
    live = find_live_generation()
    prepared = prepare(corpus, live, request.tenant)
    model_id = embedder.model_id if embedder else (live.model_id if live else "")
    plan = _plan_vectors(request.corpus, prepared, live, model_id)
    report = _report(request, prepared, plan, live, model_id)
    if request.dry_run:
        return report
    vectors = plan.kept | plan.shipped | _embed(embedder, plan.missing, progress)
    if request.write_vectors and model_id:
        write_vectors(request.corpus, model_id, vectors)
    build = services.Build(prepared, vectors, model_id, fingerprint(prepared, vectors, model_id))
    if live is not None and live.fingerprint == build.fingerprint:
        return report
    return replace(report, generation=_swap(build).pk, swapped=True)


def _load(load_embedder: Callable[[], Embedder]) -> Embedder | None:
    try:
        return load_embedder()
    except EmbedderUnavailable as problem:
        logger.warning("no encoder, new passages are indexed by keyword only: %s", problem.message)
        return None


def _plan_vectors(
    folder: Path, prepared: PreparedCorpus, live: IndexGeneration | None, model_id: str
) -> _VectorPlan:
    texts = {c.content_hash: c.passage.indexed_text for d in prepared.documents for c in d.chunks}
    kept = {key: v for key, v in live_vectors(live, model_id).items() if key in texts}
    file = read_vectors(folder, model_id) if model_id else {}
    shipped = {key: v for key, v in file.items() if key in texts and key not in kept}
    missing = tuple((key, text) for key, text in texts.items() if key not in kept and key not in shipped)
    return _VectorPlan(kept, shipped, missing)


def _embed(
    embedder: Embedder | None, missing: Sequence[tuple[str, str]], progress: Progress
) -> dict[str, Vector]:
    """Embed in batches of similar length: a batch costs what its longest passage costs."""
    if embedder is None or not missing:
        return {}
    ordered = sorted(missing, key=lambda item: len(item[1]))
    vectors: dict[str, Vector] = {}
    progress.begin(len(ordered), "passages embedded")
    for first in range(0, len(ordered), _BATCH):
        batch = ordered[first : first + _BATCH]
        rows = embedder.embed_passages([text for _, text in batch])
        vectors |= {key: row.astype(np.float16) for (key, _), row in zip(batch, rows, strict=True)}
        progress.advance(len(batch))
    progress.end()
    return vectors


def _swap(build: services.Build) -> IndexGeneration:
    generation = services.build_generation(build)
    services.refresh_planner_statistics()
    services.publish(generation)
    services.remove_leftovers()
    return generation


def _report(
    request: ReindexRequest,
    prepared: PreparedCorpus,
    plan: _VectorPlan,
    live: IndexGeneration | None,
    model_id: str,
) -> ReindexReport:
    """What the run is about to do; the index is as it was so far."""
    return ReindexReport(
        generation=live.pk if live else None,
        model_id=model_id,
        difference=_difference(list_live_sources(live), prepared),
        documents=len(prepared.documents),
        chunks=prepared.chunk_count,
        vectors_kept=len(plan.kept),
        vectors_shipped=len(plan.shipped),
        vectors_computed=len(plan.missing) if model_id else 0,
        skipped=prepared.skipped,
        dry_run=request.dry_run,
        swapped=False,
    )


def _difference(live: dict[str, str], prepared: PreparedCorpus) -> Difference:
    now = {document.front.doc_id: document.source_hash for document in prepared.documents}
    return Difference(
        added=tuple(sorted(now.keys() - live.keys())),
        changed=tuple(sorted(key for key in now.keys() & live.keys() if now[key] != live[key])),
        removed=tuple(sorted(live.keys() - now.keys())),
    )
