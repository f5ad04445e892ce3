"""System checks of our own settings: each names the variable and what it may hold.

A value that would fail the first question, or spoil every answer, is refused before the first visitor comes.
Reads settings only; whether the index suits the encoder is asked of the database at the start.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from plancover_assist.embedding.factory import KINDS
from plancover_assist.errors import Misconfigured
from plancover_assist.llm.gateway import build_models
from plancover_assist.settings.soundness import TAG
from retrieval import fusion

# The least that each number may be; the bounds of a turn check themselves while they are read.
LEAST = {
    "DB_BRIDGE_THREADS": 1,
    "LOCAL_MODEL_PACE_MS": 0,
    "SCOPE_FACTS_KEPT": 1,
    "SOCKET_IDLE_SECONDS": 1,
}


def check_models(**_options: Any) -> list[CheckMessage]:
    """Every provider of both roles is known, and the answer role has one."""
    if not settings.ASSIST_ANSWER_MODELS:
        return [Error("ASSIST_ANSWER_MODELS is empty; at least one provider must answer.", id="assist.E001")]
    return list(_refusals("assist.E001", lambda: build_models(pace_ms=0)))


def check_fusion(**_options: Any) -> list[CheckMessage]:
    """FUSION names a strategy."""
    return list(_refusals("assist.E002", lambda: fusion.strategy(settings.FUSION)))


def check_embedder(**_options: Any) -> list[CheckMessage]:
    """EMBEDDER names a kind; whether that kind loads is another matter."""
    if settings.EMBEDDER in KINDS:
        return []
    told = f"EMBEDDER is {settings.EMBEDDER!r}; it must be one of {', '.join(KINDS)}."
    return [Error(told, id="assist.E003")]


def check_today(**_options: Any) -> list[CheckMessage]:
    """ASSIST_TODAY is empty or a day."""
    try:
        date.fromisoformat(settings.ASSIST_TODAY or "2026-11-30")
    except ValueError:
        told = f"ASSIST_TODAY is {settings.ASSIST_TODAY!r}; it must be a day such as 2026-11-30, or empty."
        return [Error(told, id="assist.E004")]
    return []


def check_numbers(**_options: Any) -> list[CheckMessage]:
    """No number is below what can work."""
    return [
        Error(f"{name} is {getattr(settings, name)}; it must be at least {least}.", id="assist.E005")
        for name, least in LEAST.items()
        if getattr(settings, name) < least
    ]


def _refusals(code: str, use: Callable[[], object]) -> Iterator[CheckMessage]:
    try:
        use()
    except Misconfigured as problem:
        yield Error(problem.message, id=code)


def register_checks() -> None:
    """Have Django run them with its own."""
    for check in (check_models, check_fusion, check_embedder, check_today, check_numbers):
        register(check, TAG)
