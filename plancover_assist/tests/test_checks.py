"""A setting that could only fail later is refused by name before anything starts."""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from plancover_assist.asgi import build_application
from plancover_assist.errors import Misconfigured
from plancover_assist.settings.soundness import require_sound_settings

WRONG: list[tuple[str, Any]] = [
    ("ASSIST_ANSWER_MODELS", ["lokal"]),
    ("ASSIST_ANSWER_MODELS", []),
    ("ASSIST_GATHER_MODELS", ["local", "other"]),
    ("FUSION", "borda"),
    ("EMBEDDER", "int8"),
    ("ASSIST_TODAY", "30.11.2026"),
    ("ASSIST_TODAY", "2026-02-31"),
    ("DB_BRIDGE_THREADS", 0),
    ("LOCAL_MODEL_PACE_MS", -1),
    ("SCOPE_FACTS_KEPT", 0),
    ("SOCKET_IDLE_SECONDS", 0),
]


class TestSettings:
    def test_of_ours_are_sound(self) -> None:
        require_sound_settings()

    def test_may_leave_today_to_the_calendar(self, settings: Settings) -> None:
        settings.ASSIST_TODAY = ""
        require_sound_settings()

    @pytest.mark.parametrize(("name", "value"), WRONG)
    def test_that_make_no_sense_are_named(self, name: str, value: Any, settings: Settings) -> None:
        setattr(settings, name, value)
        with pytest.raises(Misconfigured, match=rf"^{name} [^\n]+\.$"):
            require_sound_settings()

    def test_that_make_no_sense_are_told_all_at_once(self, settings: Settings) -> None:
        settings.FUSION, settings.EMBEDDER = "borda", "int8"
        with pytest.raises(Misconfigured, match=r"^EMBEDDER .+ FUSION "):
            require_sound_settings()

    def test_that_make_no_sense_stop_a_web_process(self, settings: Settings) -> None:
        settings.FUSION = "borda"
        with pytest.raises(Misconfigured, match="FUSION"):
            build_application()

    def test_that_make_no_sense_stop_a_command(self, settings: Settings) -> None:
        settings.FUSION = "borda"
        with pytest.raises(SystemCheckError, match="FUSION"):
            call_command("ask", "What is a deductible?", skip_checks=False)
