"""The product under daphne, shared by every test that looks at it from outside."""

from collections.abc import Iterator

import pytest

from plancover_assist import embedded
from tests.product import DAPHNE, Product, serve

PACE_MS = 30  # an answer lasts long enough to be reloaded, stopped and followed


@pytest.fixture(scope="session")
def product(servers: embedded.Endpoints) -> Iterator[Product]:
    with serve(DAPHNE, servers, pace_ms=PACE_MS) as running:
        yield running
