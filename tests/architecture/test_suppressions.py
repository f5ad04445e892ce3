"""A check that is switched off for a line says why on that line."""

import re

import pytest

from tests.architecture.source import relative, tree

pytestmark = pytest.mark.docs

# Written in pieces, so that this file does not hold what it looks for.
_SWITCHED_OFF = re.compile("# (?:no" + r"qa|type: ig" + r"nore)(?P<rest>.*)")
_WITH_CODE_AND_REASON = re.compile(r"(?::|\[)[ A-Za-z0-9,_-]+?\]?\s*(?:# | - |\()\s*\w.*")


class TestASuppression:
    def test_names_what_it_switches_off_and_why(self) -> None:
        bare = [
            f"{relative(path)}:{number}"
            for path in tree()
            if path.suffix == ".py"
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
            if (found := _SWITCHED_OFF.search(line)) and not _WITH_CODE_AND_REASON.fullmatch(found["rest"])
        ]
        assert bare == []
