"""Vectors of quotable pieces, kept for the process: the same few hundred sentences answer most questions."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from plancover_assist.embedding.embedder import Embedder, Vector, normalise
from plancover_assist.llm.local.units import Unit
from plancover_assist.llm.local.wording import Wordings

KEPT = 4096  # vectors of 384 floats: 6 MB

_kept: OrderedDict[tuple[str, str], Vector] = OrderedDict()
_lock = Lock()


def similarities(question: Wordings, pieces: Sequence[Unit], embedder: Embedder | None) -> list[float]:
    """Return each piece's cosine with the question in the piece's own language, 0 without an embedder."""
    if embedder is None or not pieces:
        return [0.0] * len(pieces)
    asked = {
        lang: _mean([embedder.embed_query(text) for text in question.for_language(lang)])
        for lang in dict.fromkeys(piece.lang for piece in pieces)
    }
    vectors = _vectors([_in_context(piece) for piece in pieces], embedder)
    return [float(asked[piece.lang] @ vector) for piece, vector in zip(pieces, vectors, strict=True)]


def _mean(vectors: Sequence[Vector]) -> Vector:
    return vectors[0] if len(vectors) == 1 else normalise(np.mean(vectors, axis=0))


def _in_context(piece: Unit) -> str:
    heading = piece.source.heading
    return f"{heading}: {piece.text}" if heading else piece.text


def _vectors(texts: Sequence[str], embedder: Embedder) -> list[Vector]:
    keys = [(embedder.model_id, text) for text in texts]
    with _lock:
        known = {key: _kept[key] for key in keys if key in _kept}
    missing = [key for key in dict.fromkeys(keys) if key not in known]
    if missing:
        known.update(zip(missing, embedder.embed_passages([text for _, text in missing]), strict=True))
    _remember(known)
    return [known[key] for key in keys]


def _remember(vectors: dict[tuple[str, str], Vector]) -> None:
    with _lock:
        for key, vector in vectors.items():
            _kept[key] = vector
            _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
