"""README's 'Follow one message' names files and functions that exist."""

import ast
import re

import pytest

from tests.architecture.source import ROOT
from tests.docs.documents import README, read, section

pytestmark = pytest.mark.docs

# One step: 1. `path` `name`: what happens there. A step without a Python name shows a template or a script.
_STEP = re.compile(r"^\d+\. `([^`]+)`(?: `([A-Za-z_.]+)`)?", re.MULTILINE)


def _steps() -> list[tuple[str, str]]:
    return _STEP.findall(section(read(README), "## Follow one message"))


def _defined(path: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(read(ROOT / path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{item.name}" for item in node.body if hasattr(item, "name")}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


class TestFollowOneMessage:
    def test_goes_from_the_page_to_the_page(self) -> None:
        folders = [path.split("/")[0] for path, _ in _steps()]
        assert len(folders) >= 10
        assert folders[0] == folders[-1] == "static"

    def test_names_only_what_exists(self) -> None:
        missing = [
            f"{path} {name}"
            for path, name in _steps()
            if not (ROOT / path).is_file() or (name and name not in _defined(path))
        ]
        assert missing == []
