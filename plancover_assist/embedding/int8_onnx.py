"""The default embedder: int8 layers under ONNX Runtime on one thread.

Texts run one at a time: dynamic quantisation takes its scale from the whole input, so in a batch the
vector of a text would depend on its neighbours, and on one thread batching gains nothing for passages
(measured: 14 a second at 128 tokens either way).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plancover_assist.embedding.embedder import DIMENSIONS, Matrix, Vector, normalise
from plancover_assist.embedding.unigram import UnigramTokeniser
from plancover_assist.embedding.weights import Weights

# Raise the number after the @ with any change that moves vectors: graph, quantisation, prefixes, token limit.
MODEL_ID = "e5-small-q4-int8@1"
TOKEN_LIMIT = 256
_QUERY_PREFIX, _PASSAGE_PREFIX = "query: ", "passage: "  # e5 was trained with them
INPUT, OUTPUT = "embeddings", "sentence"  # names inside the model file
_ERRORS_ONLY = 3


class ModelUnreadable(Exception):
    """The runtime cannot open the model file: damaged, or made for another version."""


class Int8Embedder:
    """Embeds with a model file written by `onnx_graph` and the word rows of the weights file."""

    model_id = MODEL_ID
    dimensions = DIMENSIONS

    def __init__(self, weights: Weights, model: Path) -> None:
        self._weights = weights
        self._tokeniser = UnigramTokeniser(weights.vocabulary)
        self._session = _open_session(model)
        first_type = weights.tensor("emb.type")[:DIMENSIONS]
        positions = weights.matrix("emb.pos", rows=weights.shape.positions, columns=DIMENSIONS)
        self._positions = positions[:TOKEN_LIMIT] + first_type

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, shape (384,); what is over 256 tokens is not read."""
        return self._embed(_QUERY_PREFIX + text)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, shape (n, 384); of each text the first 256 tokens are read."""
        rows = np.empty((len(texts), DIMENSIONS), np.float32)
        for number, text in enumerate(texts):
            rows[number] = self._embed(_PASSAGE_PREFIX + text)
        return rows

    def _embed(self, text: str) -> Vector:
        ids = self._tokeniser.ids(text, limit=TOKEN_LIMIT)
        embeddings = self._weights.word_vectors(ids) + self._positions[: len(ids)]
        (sentence,) = self._session.run([OUTPUT], {INPUT: embeddings[np.newaxis]})
        return normalise(sentence[0])


def _open_session(model: Path) -> Any:
    import onnxruntime as ort  # a fifth of a second, only where it is used
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Waiting threads would otherwise spin and take the second core from the database.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = _ERRORS_ONLY
    try:
        return ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except (state.Fail, state.InvalidProtobuf, state.InvalidGraph, state.RuntimeException) as problem:
        raise ModelUnreadable(f"{model.name}: {problem}") from problem
