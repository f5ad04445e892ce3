"""The default embedder: the shape, length and meaning of its vectors."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from plancover_assist.embedding.build import LEAST_COSINE, SENTENCES, agreement
from plancover_assist.embedding.embedder import DIMENSIONS, Embedder, Matrix, Vector
from plancover_assist.embedding.int8_onnx import MODEL_ID, Int8Embedder, ModelUnreadable
from plancover_assist.embedding.nano import NanoEmbedder
from plancover_assist.embedding.weights import Weights

QUESTION = "what is the cataract limit per eye"


class TestInt8Embedder:
    def test_names_its_model_and_dimensions(self, int8: Int8Embedder) -> None:
        assert (int8.model_id, int8.dimensions) == (MODEL_ID, 384)

    @pytest.mark.parametrize(
        "text", [QUESTION, "मोतियाबिंद की सीमा", "", " ", "🏥", "a" * 5000, "\0", "\ud800"]
    )
    def test_gives_a_unit_vector_for_any_text(self, int8: Int8Embedder, text: str) -> None:
        vector = int8.embed_query(text)

        assert vector.shape == (DIMENSIONS,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)

    def test_gives_one_row_per_passage_in_the_order_given(self, int8: Int8Embedder) -> None:
        rows = int8.embed_passages(SENTENCES)

        assert rows.shape == (len(SENTENCES), DIMENSIONS)
        assert rows.dtype == np.float32
        assert np.array_equal(rows, int8.embed_passages(SENTENCES[::-1])[::-1])

    def test_gives_no_rows_for_no_passages(self, int8: Int8Embedder) -> None:
        assert int8.embed_passages([]).shape == (0, DIMENSIONS)

    def test_embeds_a_passage_the_same_alone_and_among_others(self, int8: Int8Embedder) -> None:
        (alone,) = int8.embed_passages(["Short."])
        among = int8.embed_passages([*SENTENCES, "Short."])[-1]

        assert np.array_equal(alone, among)

    def test_reads_questions_and_passages_differently(self, int8: Int8Embedder) -> None:
        (passage,) = int8.embed_passages([QUESTION])

        assert not np.allclose(int8.embed_query(QUESTION), passage)

    def test_agrees_with_the_engine_that_the_weights_came_with(self, int8: Int8Embedder) -> None:
        assert agreement(int8, NanoEmbedder()) >= LEAST_COSINE

    @pytest.mark.parametrize(
        "question", [QUESTION, "मोतियाबिंद के ऑपरेशन की सीमा कितनी है", "मोतियाबिंद का operation कितने तक cover है"]
    )
    def test_puts_the_right_passage_first_in_every_language(self, int8: Int8Embedder, question: str) -> None:
        passages = (
            "The limit for cataract surgery is ₹25,000 for each eye.",
            "A newborn is covered from day one when reported in time.",
            "The insurer decides a cashless request within one hour.",
        )

        assert int(np.argmax(int8.embed_passages(passages) @ int8.embed_query(question))) == 0

    def test_gives_the_same_vectors_on_several_threads(self, int8: Int8Embedder) -> None:
        expected = [int8.embed_query(text) for text in SENTENCES]
        with ThreadPoolExecutor(4) as pool:
            vectors = list(pool.map(int8.embed_query, SENTENCES * 4))

        assert all(np.array_equal(vector, expected[n % len(SENTENCES)]) for n, vector in enumerate(vectors))

    def test_says_so_when_the_model_file_is_damaged(
        self, weights: Weights, model_file: Path, tmp_path: Path
    ) -> None:
        damaged = tmp_path / "damaged.onnx"
        damaged.write_bytes(model_file.read_bytes()[: 10 * 2**20])

        with pytest.raises(ModelUnreadable):
            Int8Embedder(weights, damaged)


class Reversed:
    """An embedder that reads its texts from behind."""

    model_id, dimensions = "reversed", DIMENSIONS

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    def embed_query(self, text: str) -> Vector:
        return self._inner.embed_query(text[::-1])

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return self._inner.embed_passages([text[::-1] for text in texts])


class TestAgreement:
    def test_falls_below_the_bound_for_an_embedder_that_reads_wrongly(self, int8: Int8Embedder) -> None:
        assert agreement(int8, Reversed(int8)) < LEAST_COSINE
