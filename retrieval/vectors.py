"""The vectors that ship with the corpus: one file per encoder, keyed by content hash.

Half precision, because the column is: a vector read from the file and one read from the live index are
the same bits. Keys are hashes of what was embedded, so a changed passage simply is not found.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float16]
DIMENSIONS = 384


def vectors_file(corpus: Path, model_id: str) -> Path:
    """Return where the vectors of an encoder lie; its id becomes a file name."""
    return corpus / "vectors" / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model_id)}.npz"


def read_vectors(corpus: Path, model_id: str) -> dict[str, Vector]:
    """Return content hash -> vector, shape (384,); empty when the encoder has no file or another's."""
    file = vectors_file(corpus, model_id)
    if not file.exists():
        return {}
    with np.load(file, allow_pickle=False) as data:
        if str(data["model_id"]) != model_id:
            return {}
        return dict(zip(data["hashes"].tolist(), data["vectors"], strict=True))


def write_vectors(corpus: Path, model_id: str, vectors: Mapping[str, Vector]) -> Path:
    """Replace the encoder's file, sorted by hash so that the same corpus gives the same bytes."""
    file = vectors_file(corpus, model_id)
    file.parent.mkdir(parents=True, exist_ok=True)
    hashes = sorted(vectors)
    rows = np.array([vectors[key] for key in hashes], dtype=np.float16).reshape(-1, DIMENSIONS)
    partial = file.with_suffix(".partial.npz")
    np.savez_compressed(partial, model_id=np.array(model_id), hashes=np.array(hashes), vectors=rows)
    partial.replace(file)
    return file


def to_literal(vector: npt.NDArray[np.floating]) -> str:
    """Return a vector as pgvector reads it."""
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"
