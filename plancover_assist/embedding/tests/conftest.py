"""One embedder for all tests: its model file is built once a session, in the suite's own data folder."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from plancover_assist.embedding.factory import get_embedder
from plancover_assist.embedding.int8_onnx import Int8Embedder
from plancover_assist.embedding.model_file import find_or_build
from plancover_assist.embedding.weights import Weights, installed_weights


@pytest.fixture(scope="session")
def weights() -> Weights:
    return Weights(installed_weights())


@pytest.fixture(scope="session")
def int8() -> Iterator[Int8Embedder]:
    """The default embedder, from the same place as the product takes it."""
    embedder = get_embedder()
    assert isinstance(embedder, Int8Embedder)
    yield embedder
    if settings.DATA_DIR_IS_FRESH:
        shutil.rmtree(Path(settings.DATA_DIR) / "models", ignore_errors=True)


@pytest.fixture(scope="session")
def model_file(int8: Int8Embedder) -> Path:
    """The built model file; copy it before changing anything."""
    return find_or_build(Path(settings.DATA_DIR))
