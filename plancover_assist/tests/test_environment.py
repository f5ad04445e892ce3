"""Values of the environment that are of the wrong kind."""

import pytest

from plancover_assist.errors import Misconfigured
from plancover_assist.settings.environment import Environment


class TestInt:
    def test_reads_a_number_and_falls_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DRAIN_GRACE_SECONDS", "7")
        assert Environment().int("DRAIN_GRACE_SECONDS", default=5) == 7
        assert Environment().int("NO_SUCH_NUMBER", default=5) == 5

    def test_names_the_variable_that_is_no_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DRAIN_GRACE_SECONDS", "abc")
        with pytest.raises(Misconfigured, match="DRAIN_GRACE_SECONDS is 'abc'; it must be a whole number"):
            Environment().int("DRAIN_GRACE_SECONDS", default=5)


class TestChoice:
    def test_names_what_may_be_chosen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LOG_LEVEL", "nonsense")
        with pytest.raises(Misconfigured, match="LOG_LEVEL is 'nonsense'; it must be one of INFO, ERROR"):
            Environment().choice("LOG_LEVEL", ("INFO", "ERROR"), default="INFO")
