"""Commands, addresses and files that the documents name exist, and those that exist are named."""

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import get_commands
from django.urls import Resolver404, resolve

from tests.architecture.source import PRODUCT, ROOT
from tests.docs.documents import README, code_spans, documents, read, shell_lines

pytestmark = pytest.mark.docs

_TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
_MAKE = re.compile(r"\bmake ([a-z][a-z-]*)")
_MANAGE = re.compile(r"\bmanage\.py ([a-z_]+)")
_ADDRESS = re.compile(r"(?:\b(?:GET|POST) |127\.0\.0\.1:8000|^)(/(?:[a-z{][^\s`'\"?]*)?)(?=[\s?>]|$)")
_FILE = re.compile(r"[\w.-]+(?:/[\w.{},-]+)+/?|[\w-]+\.(?:md|py|toml|yml|txt|in)")
_ROOTS = (*PRODUCT, "corpus", "docs", "scripts", "static", "templates", "tests", ".ci")
# Addresses with a variable part are tried with an example of it.
_EXAMPLES = {
    "{id}": "6f6b1d1e-2f0e-4a4d-9a51-1f0a5f1c7d11",
    "{turn_id}": "6f6b1d1e-2f0e-4a4d-9a51-1f0a5f1c7d11",
}


def _typed(pattern: re.Pattern[str]) -> set[str]:
    return {
        name for path in documents() for line in shell_lines(read(path)) for name in pattern.findall(line)
    }


def _our_commands() -> set[str]:
    ours = {config.name for config in apps.get_app_configs() if config.name.split(".")[0] in PRODUCT}
    return {name for name, app in get_commands().items() if app in ours}


def _resolves(address: str) -> bool:
    for variable, example in _EXAMPLES.items():
        address = address.replace(variable, example)
    try:
        resolve(address)
    except Resolver404:
        return False
    return True


def _is_a_project_path(span: str) -> bool:
    return bool(_FILE.fullmatch(span)) and span.split("/", maxsplit=1)[0] in _ROOTS


class TestMakeTargets:
    def test_that_documents_name_exist(self) -> None:
        targets = set(_TARGET.findall(read(ROOT / "Makefile")))
        assert _typed(_MAKE) - targets == set()

    def test_that_exist_are_in_the_readme(self) -> None:
        public = set(_TARGET.findall(read(ROOT / "Makefile"))) - {"force", "help"}
        assert public - set(_MAKE.findall(read(README))) == set()


class TestManagementCommands:
    def test_that_documents_name_exist(self) -> None:
        assert _typed(_MANAGE) - set(get_commands()) == set()

    def test_that_exist_are_named(self) -> None:
        assert _our_commands()
        assert _our_commands() - _typed(_MANAGE) == set()


class TestAddresses:
    def test_that_documents_name_are_served(self) -> None:
        named = _typed(_ADDRESS)
        assert named
        assert [address for address in sorted(named) if not _resolves(address)] == []


class TestFiles:
    def test_that_documents_name_exist(self) -> None:
        spans = {(path, span) for path in documents() for span in code_spans(read(path))}
        missing = [
            f"{path.name}: {span}"
            for path, span in sorted(spans)
            if _is_a_project_path(span) and not (ROOT / span).exists()
        ]
        assert missing == []

    def test_that_documents_link_to_exist(self) -> None:
        links = [
            (path, link)
            for path in documents()
            for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", read(path))
            if "://" not in link
        ]
        assert links
        assert [f"{path.name}: {link}" for path, link in links if not _linked(path, link).exists()] == []


def _linked(path: Path, link: str) -> Path:
    return path.parent / link
