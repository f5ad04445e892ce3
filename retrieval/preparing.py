"""From checked documents to chunks that are ready to be stored, and what part of them is new.

A chunk comes from a file, or is carried over from the live generation: when only one tenant is indexed
again, or when its file is broken and its last good version stays. Reads only.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from retrieval import lexical
from retrieval.chunking import Passage, chunk_document
from retrieval.errors import DocumentError
from retrieval.loading import FrontMatter, LoadedCorpus, SkippedDocument, SourceDocument
from retrieval.models import Chunk, Document, IndexGeneration
from retrieval.vectors import Vector


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk without its vector. `tokens` and `heading_tokens` are lexemes in order."""

    passage: Passage
    content_hash: str
    tokens: tuple[str, ...]
    heading_tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document version with its chunks; `carried` when it comes from the live generation."""

    path: str
    source_hash: str
    front: FrontMatter
    chunks: tuple[PreparedChunk, ...]
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """From `first` to `last` another paper rules in the place of this document or clause."""

    first: date
    last: date | None


@dataclass(frozen=True, slots=True)
class PreparedCorpus:
    documents: tuple[PreparedDocument, ...]
    skipped: tuple[SkippedDocument, ...]
    replacements: dict[str, Replacement] = field(default_factory=dict)

    @property
    def chunk_count(self) -> int:
        return sum(len(document.chunks) for document in self.documents)

    def replacement(self, document: PreparedDocument, chunk: PreparedChunk) -> Replacement | None:
        """Return what takes the place of a chunk: of its whole document, or of its clause."""
        whole = f"{document.front.tenant}/{document.front.doc_id}"
        return self.replacements.get(whole) or self.replacements.get(f"{whole} {chunk.passage.clause}")


def prepare(corpus: LoadedCorpus, live: IndexGeneration | None, tenant: str | None) -> PreparedCorpus:
    """Cut every document that is to be read and carry the others over, in doc_id order."""
    wanted = [d for d in corpus.documents if tenant is None or d.front.tenant == tenant]
    cut, broken = _cut_all(wanted)
    skipped = [s for s in corpus.skipped if tenant is None or s.path.startswith(f"{tenant}/")] + broken
    rule = CarryRule(frozenset(s.path for s in skipped), tenant, frozenset(d.front.doc_id for d in cut))
    carried = _carried(live, rule)
    documents = tuple(sorted([*cut, *carried], key=lambda document: document.front.doc_id))
    return PreparedCorpus(documents, tuple(skipped), _replacements(documents))


@dataclass(frozen=True, slots=True)
class CarryRule:
    """Which documents of the live generation stay as they are."""

    broken_paths: frozenset[str]
    tenant: str | None
    read_again: frozenset[str]

    def applies(self, document: Document) -> bool:
        untouched = self.tenant is not None and document.owner != self.tenant
        broken = document.path in self.broken_paths
        return (untouched or broken) and document.doc_id not in self.read_again


def _cut_all(
    sources: Iterable[SourceDocument],
) -> tuple[list[PreparedDocument], list[SkippedDocument]]:
    documents: list[PreparedDocument] = []
    broken: list[SkippedDocument] = []
    for source in sources:
        try:
            documents.append(_cut(source))
        except DocumentError as problem:
            broken.append(SkippedDocument(source.path, problem.code, problem.message))
    return documents, broken


def _cut(source: SourceDocument) -> PreparedDocument:
    chunks = tuple(_prepared(passage, source.front.title) for passage in chunk_document(source))
    return PreparedDocument(source.path, source.source_hash, source.front, chunks)


def _prepared(passage: Passage, title: str) -> PreparedChunk:
    """The clause number is searchable as a word; a title counts as heading, not as text."""
    heading = " ".join([passage.clause, *passage.path])
    return PreparedChunk(
        passage=passage,
        content_hash=hashlib.sha256(passage.indexed_text.encode()).hexdigest(),
        tokens=tuple(lexical.lexemes_of(f"{heading}\n{passage.text}")),
        heading_tokens=tuple(lexical.lexemes_of(f"{title} {heading}")),
    )


def _carried(live: IndexGeneration | None, rule: CarryRule) -> Iterator[PreparedDocument]:
    if live is None:
        return
    for document in filter(rule.applies, Document.objects.filter(chunks__generation=live).distinct()):
        rows = Chunk.objects.filter(generation=live, document=document).defer("embedding", "kw", "lex")
        chunks = tuple(_from_row(row) for row in rows.order_by("ordinal"))
        front = _front_matter(document)
        yield PreparedDocument(document.path, document.source_hash, front, chunks, carried=True)


def _front_matter(document: Document) -> FrontMatter:
    """Read the columns back as front matter; they are named alike but for the owner."""
    values = {name: getattr(document, name) for name in FrontMatter.model_fields if name != "tenant"}
    values["supersedes"] = document.supersedes or None
    return FrontMatter.model_validate({**values, "tenant": document.owner})


def _from_row(row: Chunk) -> PreparedChunk:
    path = tuple(row.heading.split(" > ")) if row.heading else ()
    return PreparedChunk(
        passage=Passage(row.text, row.start, row.end, path, row.clause),
        content_hash=row.content_hash,
        tokens=tuple(row.tokens.split()),
        heading_tokens=tuple(row.heading_tokens.split()),
    )


def _replacements(documents: Iterable[PreparedDocument]) -> dict[str, Replacement]:
    """Map `owner/DOC-ID` and `owner/DOC-ID clause` to the days on which a newer paper rules instead.

    A paper replaces only papers of its own owner: no tenant can hide a public one from the others.
    """
    found: dict[str, Replacement] = {}
    for front in sorted((d.front for d in documents), key=lambda front: front.effective_from):
        for target in (*front.amends, *filter(None, [front.supersedes])):
            key = f"{front.tenant}/{target}"
            first = found[key].first if key in found else front.effective_from
            # An amended clause returns when its endorsement ends; a superseded paper does not.
            last = None if target == front.supersedes else front.effective_to
            found[key] = Replacement(first, last)
    return found


def fingerprint(corpus: PreparedCorpus, vectors: Mapping[str, Vector], model_id: str) -> str:
    """Return a digest of everything a generation would hold; equal means that nothing is to be done."""
    digest = hashlib.sha256(model_id.encode())
    for document in corpus.documents:
        digest.update(f"\n{document.path} {document.source_hash}".encode())
        for chunk in document.chunks:
            place = f"{chunk.passage.clause} {chunk.passage.start} {chunk.passage.end}"
            digest.update(f"\n{place} {' '.join(chunk.tokens)} {chunk.passage.text}".encode())
            vector = vectors.get(chunk.content_hash)
            digest.update(vector.tobytes() if vector is not None else b"")
    return digest.hexdigest()


def live_vectors(live: IndexGeneration | None, model_id: str) -> dict[str, Vector]:
    """Return content hash -> vector of the live generation, only those of this encoder."""
    if live is None or not model_id:
        return {}
    rows = Chunk.objects.filter(generation=live, model_id=model_id, embedding__isnull=False)
    return {
        content_hash: np.array(embedding, dtype=np.float16)
        for content_hash, embedding in rows.values_list("content_hash", "embedding")
    }
