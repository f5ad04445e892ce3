"""Small papers and a small encoder for tests: enough corpus to search, nothing to download or to wait for."""

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plancover_assist.embedding.factory import Embedder
from plancover_assist.text.tokens import tokenise
from retrieval.indexing import ReindexReport, ReindexRequest, reindex

IN_FORCE = date(2026, 11, 30)


class WordEmbedder:
    """A deterministic encoder: a text is the sum of its words' random directions, all near one centre."""

    def __init__(self, model_id: str = "words@1") -> None:
        self.model_id = model_id
        self.dimensions = 384
        self.embedded: list[str] = []

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector = np.full(384, 0.05) + sum((_direction(word) for word in tokenise(text)), np.zeros(384))
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += texts
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32)


def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    direction = np.random.default_rng(seed).normal(size=384)
    return np.asarray(direction / np.linalg.norm(direction))


def paper(doc_id: str, body: str, **front: str) -> str:
    """Return a document; front matter beyond what is given is filled in."""
    values = {
        "doc_id": doc_id,
        "title": f"Paper {doc_id}",
        "lang": "en",
        "tenant": "public",
        "doc_type": "guide",
        "effective_from": "2026-04-01",
        "version": '"1.0"',
        "clause_numbering": "false",
        "audience": "member",
    } | front
    lines = "\n".join(f"{key}: {value}" for key, value in values.items())
    return f"---\n{lines}\n---\n{body}\n"


def write(corpus: Path, doc_id: str, body: str, **front: str) -> Path:
    """Put a document into its owner's folder."""
    file = corpus / front.get("tenant", "public") / f"{doc_id.lower()}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(paper(doc_id, body, **front), encoding="utf-8")
    return file


def index(corpus: Path, embedder: Embedder | None = None, **request: str | bool) -> ReindexReport:
    """Reindex a folder with the small encoder."""
    encoder = embedder or WordEmbedder()
    return reindex(ReindexRequest(corpus, **request), load_embedder=lambda: encoder)  # type: ignore[arg-type] # tests pass either kind
