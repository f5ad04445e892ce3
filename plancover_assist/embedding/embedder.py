"""What an embedder is to the rest of the product."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from plancover_assist.errors import DependencyUnavailable

DIMENSIONS = 384
Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]


class EmbedderUnavailable(DependencyUnavailable):
    """No embedder is configured, or none could be loaded: the product then searches by keywords alone."""

    code = "embedder_unavailable"
    default_message = "Searching by meaning is switched off or could not be started."


class Embedder(Protocol):
    """Turns text into vectors; safe to call from several threads.

    Vectors of different model ids must never be compared, so the id stands beside every stored vector.
    """

    @property
    def model_id(self) -> str:
        """Name and version of the model; the same id always means the same vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector: 384."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, shape (384,), float32, unit length."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text in the order given, shape (n, 384), float32, each of unit length."""
        ...


def normalise(vector: Vector) -> Vector:
    """Return the vector scaled to unit length, so that an inner product is a cosine."""
    unit: Vector = vector / np.linalg.norm(vector)
    return unit
