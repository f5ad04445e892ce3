"""Making cosines of chunks in different languages comparable.

The encoder places all Hindi nearer to a Hindi question than all English, by more than the distance between
a good and a poor match: unchecked, a general Hindi answer hides the English policy that holds the figure.
How near a language is as a whole is the cosine with the centre of its chunks; that part is taken out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from retrieval.candidates import Scored

Embedding = npt.NDArray[np.float32]


def offsets(embedding: Embedding | None, centres: Mapping[str, Embedding]) -> dict[str, float]:
    """Return language -> how much is added to its cosines: what the nearest language is ahead by."""
    nearness = _nearness(embedding, centres)
    best = max(nearness.values(), default=0.0)
    return {lang: best - value for lang, value in nearness.items()}


def _nearness(embedding: Embedding | None, centres: Mapping[str, Embedding]) -> dict[str, float]:
    if embedding is None:
        return {}
    return {lang: float(embedding @ centre) for lang, centre in centres.items()}


def level(scored: Iterable[Scored], by_language: Mapping[str, float]) -> list[Scored]:
    """Return the chunks with their cosines on one scale, that of the language nearest to the question."""
    return [
        item if item.cosine is None else replace(item, cosine=item.cosine + by_language.get(item.lang, 0.0))
        for item in scored
    ]
