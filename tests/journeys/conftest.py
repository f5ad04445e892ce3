"""The journeys' world: one database for the whole folder, with the demo's people and the shipped corpus.

Rows stay from one test to the next, since journeys look only at what is theirs, and building the index is
what costs. They are cleared once, after the last journey.
"""

from collections.abc import AsyncIterator, Iterator

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from chat.turn import engine as engines
from chat.turn.engine import Engine, build_engine
from plancover_assist.identity.management.commands.seed_demo import seed_demo
from plancover_assist.llm.gateway import get_models
from plancover_assist.llm.types import Models
from retrieval.indexing import ReindexRequest, reindex
from tests.journeys.support import RecordingModel


@pytest.fixture(scope="package")
def db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test database, open to all journeys and cleared after them.

    It bears the name of pytest-django's own fixture on purpose: the plugin makes a test database only where
    some test asks for that name or carries its mark, and would hand the developer's own to any other.
    """
    with django_db_blocker.unblock():
        assert str(connection.settings_dict["NAME"]).startswith("test_")
        yield
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="package")
def people(db: None) -> None:
    """The demo's employers and users."""
    seed_demo()


@pytest.fixture(scope="module")
def demo_index(people: None) -> None:
    """The shipped corpus with its shipped vectors; nothing is built again while nothing has changed."""
    reindex(ReindexRequest(settings.CORPUS_DIR))


@pytest.fixture
def model() -> RecordingModel:
    """The product's own answer model, listened to at the gateway."""
    return RecordingModel(get_models().answer)


@pytest.fixture
async def engine(people: None, model: RecordingModel) -> AsyncIterator[Engine]:
    """The product's own engine in this test's loop."""
    engine = build_engine(Models(gather=get_models().gather, answer=model))
    engines.install(engine)
    yield engine
    await engine.aclose()
