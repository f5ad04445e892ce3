"""What start-up stops for, and what it only says."""

import logging
from pathlib import Path

import pytest
from django.conf import LazySettings

from plancover_assist.errors import Misconfigured
from retrieval import startup
from retrieval.tests.papers import index, write

pytestmark = pytest.mark.django_db(transaction=True)


class TestVerify:
    def test_warns_before_the_first_index(self, caplog: pytest.LogCaptureFixture) -> None:
        startup.verify()
        assert "no search index yet" in caplog.text

    def test_stops_for_an_index_of_another_encoder(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", "# T\n\nSome text.")
        index(tmp_path)
        with pytest.raises(Misconfigured, match=r"words@1"):
            startup.verify()

    def test_goes_on_without_an_encoder(
        self, tmp_path: Path, settings: LazySettings, caplog: pytest.LogCaptureFixture
    ) -> None:
        write(tmp_path, "A-1", "# T\n\nSome text.")
        index(tmp_path)
        settings.EMBEDDER = "none"
        with caplog.at_level(logging.WARNING):
            startup.verify()
        assert "keyword_only" in caplog.text


class TestWarmUp:
    def test_does_nothing_before_the_first_index(self) -> None:
        startup.warm_up()

    def test_reads_the_words_even_without_an_encoder(
        self, tmp_path: Path, settings: LazySettings, caplog: pytest.LogCaptureFixture
    ) -> None:
        write(tmp_path, "A-1", "# T\n\nSome text.")
        index(tmp_path)
        settings.EMBEDDER = "none"
        with caplog.at_level(logging.INFO):
            startup.warm_up()
        assert "there is no encoder" in caplog.text
