"""Decisions stay short, say what was rejected, and can be found; packages have a named place."""

import re
from pathlib import Path

import pytest

from retrieval import fusion, gate
from tests.architecture.source import ROOT
from tests.docs.documents import README, read, rows, section

pytestmark = pytest.mark.docs

RECORDS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
WORDS = 400
# The packages that the owner asked for by name.
CARD = (
    "Django", "channels", "channels-redis", "daphne", "django-ninja", "django-environ", "pydantic", "psycopg",
    "pgvector", "redis", "celery", "litellm", "sentence-transformers", "rank-bm25", "factory-boy",
)  # fmt: skip


def _number(path: Path) -> int:
    return int(path.name[:4])


class TestADecisionRecord:
    @pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
    def test_is_short(self, path: Path) -> None:
        assert len(re.findall(r"\S*\w\S*", read(path))) <= WORDS

    @pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
    def test_says_its_state_and_what_was_rejected(self, path: Path) -> None:
        text = read(path)
        assert re.search(
            r"^- Status: (proposed|accepted on \d{4}-\d\d-\d\d|replaced by \d{4})$", text, re.MULTILINE
        )
        assert rows(section(text, "## Rejected"))

    def test_is_numbered_without_a_gap(self) -> None:
        assert [_number(path) for path in RECORDS] == list(range(1, len(RECORDS) + 1))

    def test_is_linked_from_the_architecture_page(self) -> None:
        page = read(ROOT / "docs" / "architecture.md")
        assert [path.name for path in RECORDS if f"adr/{path.name}" not in page] == []


class TestTheFusionRecord:
    def test_names_the_thresholds_that_the_gate_uses(self) -> None:
        limits = gate.DEFAULT_THRESHOLDS
        told = f"English needs {limits.same}, Hindi and Hinglish {limits.crossing}."
        assert told in read(ROOT / "docs" / "adr" / "0003-fusion.md")

    def test_names_the_weights_of_fusion_and_gate(self) -> None:
        text = read(ROOT / "docs" / "adr" / "0003-fusion.md")
        assert f"`score = cosine + {fusion.COVERAGE_WEIGHT:.2f} x coverage`" in text
        weights = f"{gate.COVERAGE_WEIGHT:.2f} x coverage + {gate.FOUND_WEIGHT:.2f} x found"
        assert f"`cosine + {weights}`" in text


class TestAPackage:
    def test_of_the_owners_list_has_its_use_in_the_readme(self) -> None:
        described = {
            name
            for row in rows(section(read(README), "## Packages"))
            for name in re.findall(r"`([^`]+)`", row[0])
        }
        assert set(CARD) - described == set()

    @pytest.mark.parametrize("name", ["requirements.in", "requirements-dev.in"])
    def test_carries_a_reason(self, name: str) -> None:
        lines = [line for line in read(ROOT / name).splitlines() if re.match(r"[A-Za-z]", line)]
        assert lines
        assert [line for line in lines if "  # " not in line and " # " not in line] == []
