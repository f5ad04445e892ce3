"""What an installation brings along is what the product uses."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import packages_distributions

import pytest
from django.conf import settings

PACKAGES = ("audit", "chat", "confirmations", "plancover_assist", "retrieval", "tools")
REQUIREMENT = re.compile(r"^([A-Za-z0-9-]+)[^#\n]*(?:#\s*(.*))?$", re.MULTILINE)
# Installed with the product although no module of it names them.
NAMED_NOWHERE = {
    "psycopg": "imported by Django's database backend",
    "litellm": "loaded when a remote model is configured",
    "rank-bm25": "only compared with, and wanted wherever the suite may run",
    "uvicorn": "the other server that a deployment may start the product with",
}
REQUIRED = REQUIREMENT.findall((settings.BASE_DIR / "requirements.in").read_text(encoding="utf-8"))


@cache
def product_code() -> str:
    paths = (path for name in PACKAGES for path in (settings.BASE_DIR / name).rglob("*.py"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if "tests" not in path.parts)


@cache
def owners_of_modules() -> Mapping[str, Sequence[str]]:
    return packages_distributions()


def modules_of(distribution: str) -> list[str]:
    """Return the importable names that a distribution brings."""
    wanted = normal(distribution)
    return [module for module, owners in owners_of_modules().items() if wanted in map(normal, owners)]


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


class TestARequirement:
    @pytest.mark.parametrize(("name", "reason"), REQUIRED)
    def test_gives_its_reason(self, name: str, reason: str) -> None:
        assert reason

    @pytest.mark.parametrize("name", [name for name, _ in REQUIRED if name not in NAMED_NOWHERE])
    def test_is_named_in_the_product(self, name: str) -> None:
        code = product_code()
        assert [one for one in modules_of(name) if re.search(rf"\b{re.escape(one)}\b", code)]

    def test_that_is_named_nowhere_is_required_at_all(self) -> None:
        assert NAMED_NOWHERE.keys() <= {name for name, _ in REQUIRED}
