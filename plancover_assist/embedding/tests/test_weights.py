"""Reading the installed weights file."""

from pathlib import Path

import numpy as np
import pytest

from plancover_assist.embedding.weights import Weights, WeightsUnreadable, installed_weights


class TestWeights:
    def test_finds_the_sizes_of_multilingual_e5_small(self, weights: Weights) -> None:
        shape = weights.shape

        assert (shape.width, shape.layers, shape.heads, shape.inner, shape.positions) == (
            384,
            12,
            12,
            1536,
            512,
        )
        assert shape.epsilon == pytest.approx(1e-12)

    def test_reads_the_pieces_with_their_scores_and_marks(self, weights: Weights) -> None:
        vocabulary = weights.vocabulary

        assert len(vocabulary.pieces) == len(vocabulary.scores) == 250_002
        assert [vocabulary.pieces[piece] for piece in ("<s>", "</s>", "<unk>")] == [
            vocabulary.start,
            vocabulary.end,
            vocabulary.unknown,
        ]
        assert vocabulary.scores[vocabulary.pieces[","]] > vocabulary.scores[vocabulary.pieces["▁de"]]

    def test_holds_no_piece_that_crosses_a_word(self, weights: Weights) -> None:
        assert not any("▁" in piece[1:] for piece in weights.vocabulary.pieces)

    def test_unpacks_dense_layers_in_the_order_outputs_by_inputs(self, weights: Weights) -> None:
        matrix = weights.matrix("l0.fi.w", rows=1536, columns=384)

        assert matrix.dtype == np.float32
        assert np.isfinite(matrix).all()
        assert 0.01 < matrix.std() < 0.2

    def test_gives_each_row_the_same_vector_whichever_rows_are_asked_for(self, weights: Weights) -> None:
        alone, together = weights.word_vectors([17]), weights.word_vectors([5, 17, 5])

        assert together.shape == (3, 384)
        assert np.array_equal(together[1], alone[0])
        assert np.array_equal(together[0], together[2])

    @pytest.mark.parametrize("content", [b"", b"E5S1", b"GGUF" + bytes(200)])
    def test_refuses_a_file_of_another_kind(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "weights.bin"
        path.write_bytes(content)

        with pytest.raises(WeightsUnreadable):
            Weights(path)

    def test_refuses_a_file_that_is_cut_short(self, tmp_path: Path) -> None:
        path = tmp_path / "weights.bin"
        path.write_bytes(installed_weights().read_bytes()[:5_000_000])

        with pytest.raises(WeightsUnreadable):
            Weights(path)
