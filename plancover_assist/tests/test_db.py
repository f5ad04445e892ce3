"""The bridge to the database when the server has cut its connections."""

import asyncio

import pytest
from django.db import OperationalError, connection

from plancover_assist import db

CUT_ALL = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


def ask_one() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return int(cursor.fetchone()[0])


def cut_all() -> None:
    with connection.cursor() as cursor:
        cursor.execute(CUT_ALL)


async def count_failures() -> int:
    """Fill the pool, cut it, and ask eight times."""
    await asyncio.gather(*(db.call(ask_one) for _ in range(8)))
    await db.call(cut_all)
    failures = 0
    for _ in range(8):
        try:
            assert await db.call(ask_one) == 1
        except OperationalError:
            failures += 1
    return failures


@pytest.mark.django_db(transaction=True)
class TestCall:
    def test_fails_at_most_once_after_all_connections_were_cut(self) -> None:
        connection.close()  # this thread's own would be cut too, and the suite needs it afterwards

        assert asyncio.run(count_failures()) <= 1
