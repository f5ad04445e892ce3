"""What start-up stops for, and what it only says."""

import logging
from pathlib import Path

import pytest
from django.conf import LazySettings

from plancover_assist.embedding.factory import Embedder, EmbedderUnavailable, get_embedder
from plancover_assist.errors import Misconfigured
from plancover_assist.health import KEYWORD_ONLY, MISMATCH, MISSING, OK
from retrieval import startup
from retrieval.indexing import ReindexRequest, reindex
from retrieval.tests.papers import index, write

pytestmark = pytest.mark.django_db(transaction=True)


class TestVerify:
    def test_warns_before_the_first_index(self, caplog: pytest.LogCaptureFixture) -> None:
        startup.verify()
        assert "no search index yet" in caplog.text
        assert startup.index_word() == MISSING

    def test_stops_for_an_index_of_another_encoder(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", "# T\n\nSome text.")
        index(tmp_path)
        with pytest.raises(Misconfigured, match=r"words@1"):
            startup.verify()
        assert startup.encoder_word() == MISMATCH

    def test_is_content_once_the_index_is_made_anew(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        write(tmp_path, "A-1", "# T\n\nSome text.")
        index(tmp_path)
        index(tmp_path, get_embedder())
        with caplog.at_level(logging.WARNING):
            startup.verify()
        assert caplog.text == ""
        assert (startup.index_word(), startup.encoder_word()) == (OK, OK)

    def test_goes_on_without_an_encoder(
        self, tmp_path: Path, settings: LazySettings, caplog: pytest.LogCaptureFixture
    ) -> None:
        write(tmp_path, "A-1", "# T\n\nSome text.")
        index(tmp_path)
        settings.EMBEDDER = "none"
        with caplog.at_level(logging.WARNING):
            startup.verify()
        assert "keyword_only" in caplog.text
        assert startup.encoder_word() == KEYWORD_ONLY

    def test_goes_on_with_an_index_that_has_no_vectors(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        def no_encoder() -> Embedder:
            raise EmbedderUnavailable("none here")

        write(tmp_path, "A-1", "# T\n\nSome text.")
        reindex(ReindexRequest(tmp_path), load_embedder=no_encoder)
        with caplog.at_level(logging.WARNING):
            startup.verify()
        assert "keyword_only" in caplog.text
        assert startup.encoder_word() == KEYWORD_ONLY
