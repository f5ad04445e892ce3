"""The committed description of the API is the one the code gives."""

import pytest

from plancover_assist.api import openapi_text
from tests.architecture.source import ROOT

pytestmark = pytest.mark.docs


class TestOpenApiDocument:
    def test_is_what_the_code_describes(self) -> None:
        """After a change on purpose: `manage.py export_openapi`."""
        committed = (ROOT / "docs" / "openapi.json").read_text(encoding="utf-8")
        assert committed == openapi_text()
