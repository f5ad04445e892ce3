"""Nothing that people type may fill memory for as long as a process lives."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

PACKAGES = ("audit", "chat", "confirmations", "plancover_assist", "retrieval", "tools")
MODULES = [path for name in PACKAGES for path in sorted((settings.BASE_DIR / name).rglob("*.py"))]


def endless_caches(source: str) -> Iterator[str]:
    """Yield the functions that keep every result they ever gave, one for each argument."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            unbounded = {"cache", "functools.cache", "lru_cache(maxsize=None)", "lru_cache(None)"}
            marks = {ast.unparse(one) for one in node.decorator_list}
            if marks & unbounded and ast.unparse(node.args):
                yield node.name


class TestACache:
    def test_without_a_bound_is_recognised(self) -> None:
        assert list(endless_caches("@cache\ndef f(word): ...\n@cache\ndef g(): ...")) == ["f"]

    @pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
    def test_of_answers_to_arguments_has_a_bound(self, module: Path) -> None:
        assert list(endless_caches(module.read_text(encoding="utf-8"))) == []
