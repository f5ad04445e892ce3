"""The diagram on the architecture page is the table that the runner obeys."""

import pytest

from scripts.diagram import PAGE, drawn_into, edges
from tests.docs.documents import read

pytestmark = pytest.mark.docs


class TestTheDiagram:
    def test_is_current(self) -> None:
        page = read(PAGE)
        assert drawn_into(page) == page, "run .venv/bin/python scripts/diagram.py"

    def test_leads_from_the_start_to_the_end(self) -> None:
        drawn = set(edges())
        assert {source for source, _ in drawn} >= {"START", "answer"}
        assert any(target == "END" for _, target in drawn)
