"""Every sentence of an error has its Hindi, whether it is a class's own or given where it is raised."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancover_assist import errors
from plancover_assist.errors import AssistError, ForeignRow, Misconfigured
from tests.architecture.source import modules, relative
from tests.docs.test_translations import catalogue

pytestmark = pytest.mark.docs

FOR_OPERATORS = (Misconfigured, ForeignRow)  # with their children: no member ever reads them


def classes(base: type[AssistError] = AssistError) -> Iterator[type[AssistError]]:
    """The errors that a member may meet."""
    if base.__module__ == errors.__name__ and not issubclass(base, FOR_OPERATORS):
        yield base
        for child in base.__subclasses__():
            yield from classes(child)


def raised_in(path: Path) -> Iterator[str]:
    """The sentences that a module gives such errors itself."""
    names = {kind.__name__ for kind in classes()}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            given = node.args[:1]
            yield from (str(part.value) for part in given if isinstance(part, ast.Constant))


def sentences() -> set[str]:
    commands = "/management/"  # speak to an operator
    places = [path for path in modules(tests=False) if commands not in relative(path)]
    own = {kind.default_message for kind in classes()}
    return own | {sentence for path in places for sentence in raised_in(path)}


class TestARefusal:
    def test_has_its_hindi(self) -> None:
        hindi = {message.id for message in catalogue() if message.string}
        assert sentences() - hindi == set()

    def test_is_found_where_it_is_raised(self) -> None:
        """The search itself must be able to find: these stand at a `raise`, not in a class."""
        assert "This answer is complete." in sentences()
