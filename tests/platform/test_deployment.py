"""The deployment's files agree with the product and carry no secret."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
OURS = ("migrate", "web", "worker")
SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
    return loaded


class TestCompose:
    def test_has_every_part(self, compose: dict[str, Any]) -> None:
        assert set(compose["services"]) == {"postgres", "redis", *OURS}

    @pytest.mark.parametrize("name", ["postgres", "redis", "worker"])
    def test_checks_the_health_of(self, compose: dict[str, Any], name: str) -> None:
        assert compose["services"][name]["healthcheck"]["test"]

    def test_migrates_before_anything_serves(self, compose: dict[str, Any]) -> None:
        for name in ("web", "worker"):
            waits = compose["services"][name]["depends_on"]["migrate"]
            assert waits["condition"] == "service_completed_successfully"

    def test_takes_every_secret_from_the_environment(self) -> None:
        text = (PROJECT / "docker-compose.yml").read_text()
        for name in SECRETS:
            assert re.findall(rf"\$\{{{name}:\?", text)
            assert not re.findall(rf"\$\{{{name}:-", text)

    def test_sets_nothing_that_the_product_does_not_read(self, compose: dict[str, Any]) -> None:
        known = set(re.findall(r"^# ([A-Z_]+)=", (PROJECT / ".env.example").read_text(), re.MULTILINE))
        given = set().union(*(compose["services"][name]["environment"] for name in OURS))
        assert given - known == {"DJANGO_SETTINGS_MODULE"}


class TestTheImage:
    def test_runs_as_nobody_special(self) -> None:
        lines = (PROJECT / "Dockerfile").read_text().splitlines()
        users = [line.split()[1] for line in lines if line.startswith("USER ")]
        assert users == ["assist"]

    def test_checks_its_health_with_a_script_that_exists(self) -> None:
        script = re.search(
            r"HEALTHCHECK.*?\"(scripts/\w+\.py)\"", (PROJECT / "Dockerfile").read_text(), re.DOTALL
        )
        assert script is not None
        assert (PROJECT / script[1]).exists()


class TestSecuritySensitiveCode:
    def test_is_named_where_it_lies(self) -> None:
        text = (PROJECT / "CODEOWNERS").read_text()
        paths = [line.split()[0] for line in text.splitlines() if line.startswith("/")]
        assert paths
        assert [path for path in paths if not any(PROJECT.glob(path.strip("/")))] == []
