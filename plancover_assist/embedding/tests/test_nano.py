"""The package's own engine behind the same interface."""

import numpy as np
import pytest

from plancover_assist.embedding.nano import NanoEmbedder


@pytest.fixture(scope="module")
def nano() -> NanoEmbedder:
    return NanoEmbedder()


class TestNanoEmbedder:
    def test_has_an_id_of_its_own(self, nano: NanoEmbedder) -> None:
        assert nano.model_id == "e5-small-q4@1"

    @pytest.mark.parametrize("text", ["दावा", "", "one\0two", "half \ud800 pair"])
    def test_gives_a_unit_vector_for_any_text(self, nano: NanoEmbedder, text: str) -> None:
        vector = nano.embed_query(text)

        assert vector.shape == (384,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)

    def test_reads_on_after_a_nul(self, nano: NanoEmbedder) -> None:
        assert not np.allclose(nano.embed_query("claim\0hospital"), nano.embed_query("claim"))

    def test_gives_one_row_per_passage(self, nano: NanoEmbedder) -> None:
        assert nano.embed_passages(["a", "b", "c"]).shape == (3, 384)
        assert nano.embed_passages([]).shape == (0, 384)
