"""Liveness asks nothing of anybody; readiness names what is missing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.http import JsonResponse
from django.test import AsyncRequestFactory
from pytest_django import Settings

from plancover_assist import health
from plancover_assist.health import (
    KEYWORD_ONLY,
    MISMATCH,
    MISSING,
    NOT_USED,
    OK,
    REFUSED,
    UNAVAILABLE,
    Readiness,
    healthz,
    ping_redis,
    readyz,
)

REQUEST = AsyncRequestFactory().get("/readyz")


def unreachable() -> None:
    raise DatabaseError("secret host does not answer")


async def ask(**required: Any) -> tuple[int, dict[str, Any]]:
    return told(await readyz(**required)(REQUEST))


def told(response: JsonResponse) -> tuple[int, dict[str, Any]]:
    return response.status_code, json.loads(response.content)


class TestLiveness:
    async def test_needs_no_database(self) -> None:
        assert (await healthz(REQUEST)).status_code == 200


@pytest.mark.django_db(transaction=True)
class TestReadiness:
    async def test_is_given_when_every_part_is_there(self) -> None:
        status, body = await ask(index=lambda: OK, encoder=lambda: OK)
        assert (status, body["status"]) == (200, "ready")
        assert body["parts"] == {"database": OK, "migrations": OK, "index": OK, "encoder": OK, "redis": OK}

    async def test_is_given_to_keyword_search_alone_and_says_so(self) -> None:
        status, body = await ask(encoder=lambda: KEYWORD_ONLY)
        assert (status, body["parts"]["encoder"]) == (200, KEYWORD_ONLY)

    async def test_is_refused_for_parts_that_contradict_each_other(self) -> None:
        status, body = await ask(index=lambda: MISSING, encoder=lambda: MISMATCH)
        assert (status, body["status"]) == (503, REFUSED)

    async def test_names_a_missing_part(self) -> None:
        status, body = await ask(index=lambda: MISSING)
        assert (status, body["parts"]["index"]) == (503, MISSING)

    async def test_does_not_wait_for_redis(self, settings: Settings, tmp_path: Path) -> None:
        settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
        status, body = await ask()
        assert (status, body["parts"]["redis"]) == (200, UNAVAILABLE)

    async def test_is_refused_before_the_migrations_and_asks_no_app_then(self) -> None:
        apps: dict[str, Callable[[], str]] = {"index": lambda: pytest.fail("asked an app without its tables")}
        status, body = told(await Readiness(apps, has_tables=lambda: False)(REQUEST))
        assert (status, body["parts"]["migrations"]) == (503, MISSING)

    async def test_is_refused_without_a_database_and_tells_nobody_why(self) -> None:
        status, body = told(await Readiness({}, reach=unreachable)(REQUEST))
        assert (status, body["parts"]["database"]) == (503, UNAVAILABLE)
        assert "secret" not in json.dumps(body)


@pytest.mark.django_db
class TestMigrations:
    def test_are_all_applied_in_a_new_database(self) -> None:
        assert health.is_migrated()

    def test_that_are_missing_are_noticed(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'chat'")
        assert not health.is_migrated()


class TestRedis:
    async def test_that_nobody_configured_is_not_used(self) -> None:
        assert await ping_redis("") == NOT_USED

    async def test_that_answers_is_there(self, redis_url: str) -> None:
        assert await ping_redis(redis_url) == OK
