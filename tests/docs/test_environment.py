"""`.env.example` lists every variable that the settings read, and none besides."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from plancover_assist.settings.bounds import Bounds
from tests.architecture.source import ROOT
from tests.docs.documents import read

pytestmark = pytest.mark.docs

_READERS = frozenset({"str", "choice", "int", "bool", "float", "list", "db", "url", "json"})
# Read by libraries and not by us; named for the reader's sake.
_OF_LIBRARIES = frozenset({"OPENAI_API_KEY", "OPENAI_API_BASE", "ANTHROPIC_API_KEY"})
_LINE = re.compile(r"^#? ?([A-Z][A-Z0-9_]+)=", re.MULTILINE)


def _read_by_settings() -> Iterator[str]:
    for path in sorted((ROOT / "plancover_assist" / "settings").glob("*.py")):
        for node in ast.walk(ast.parse(read(path))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="env"), attr=kind),
                    args=[ast.Constant(value=str(name)), *_],
                ) if kind in _READERS:
                    yield name
    yield from (field.name for field in fields(Bounds))


class TestTheExampleEnvironment:
    def test_lists_what_the_settings_read(self) -> None:
        listed = set(_LINE.findall(read(ROOT / ".env.example")))
        assert listed - _OF_LIBRARIES == set(_read_by_settings())

    def test_gives_each_bound_its_default(self) -> None:
        text = read(ROOT / ".env.example")
        wrong = [field.name for field in fields(Bounds) if f"{field.name}={field.default}" not in text]
        assert wrong == []
