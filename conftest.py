"""The suite's servers: they start before the first test that needs them and stop after the last.

They run in a fresh folder, or join those of $DATA_DIR. Unit tests that touch neither start nothing.
"""

import shutil
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from plancover_assist import embedded


@pytest.fixture(scope="session")
def servers() -> Iterator[embedded.Endpoints]:
    """The embedded servers, held for the whole session, unless the environment names others."""
    if not settings.EMBEDDED:
        yield embedded.Endpoints(database_url="", redis_url=settings.REDIS_URL)
        return
    with embedded.hold(settings.DATA_DIR) as endpoints:
        yield endpoints
    if settings.DATA_DIR_IS_FRESH:
        shutil.rmtree(settings.DATA_DIR)


@pytest.fixture(scope="session")
def django_db_setup(
    servers: embedded.Endpoints, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Make the test database only once the server runs, and drop it before the server stops.

    Threads of the async tests keep connections of their own; they end first, or the database could not go.
    """
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.fixture(scope="session")
def redis_url(servers: embedded.Endpoints) -> str:
    """Address of a Redis that answers, for tests that need one but no database."""
    return servers.redis_url
