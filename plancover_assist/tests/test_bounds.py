"""The bounds' own comments name the modules that read them."""

import inspect
import re
from dataclasses import fields

import pytest
from django.conf import settings

from plancover_assist.settings import bounds

LINE = re.compile(r"^    ([A-Z_]+): int = \d+  # [^;]+; (\S+)$", re.MULTILINE)
ENFORCERS = dict(LINE.findall(inspect.getsource(bounds)))


class TestEveryBound:
    def test_says_who_enforces_it(self) -> None:
        assert list(ENFORCERS) == [field.name for field in fields(bounds.Bounds)]

    @pytest.mark.parametrize(("name", "module"), ENFORCERS.items())
    def test_is_read_where_it_says(self, name: str, module: str) -> None:
        if module != "later":
            assert f"bounds.{name}" in (settings.BASE_DIR / module).read_text(encoding="utf-8")
