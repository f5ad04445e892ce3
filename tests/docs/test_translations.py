"""Every word a member may read has its Hindi, and the compiled catalogue is that of the text beside it."""

import io
import re

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.utils.translation import gettext, override

from tests.architecture.source import ROOT

pytestmark = pytest.mark.docs

FOLDER = ROOT / "locale" / "hi" / "LC_MESSAGES"
_IN_TEMPLATES = re.compile(r"""{%\s*translate\s+(?:"([^"]+)"|'([^']+)')|_\((?:"([^"]+)"|'([^']+)')\)""")


def catalogue() -> Catalog:
    with (FOLDER / "django.po").open("rb") as file:
        return read_po(file, locale="hi")


class TestHindi:
    def test_is_complete(self) -> None:
        missing = [m.id for m in catalogue() if m.id and (not m.string or m.fuzzy)]
        assert missing == []

    def test_covers_every_template(self) -> None:
        known = {message.id for message in catalogue()}
        used = {
            next(filter(None, found))
            for path in (ROOT / "templates").rglob("*.html")
            for found in _IN_TEMPLATES.findall(path.read_text(encoding="utf-8"))
        }
        assert used - known == set()

    def test_keeps_every_placeholder(self) -> None:
        names = re.compile(r"%\(\w+\)[sd]|<b>|</b>")
        for message in catalogue():
            wanted, got = names.findall(str(message.id)), names.findall(str(message.string))
            assert sorted(wanted) == sorted(got), message.id

    def test_is_compiled_as_it_is_written(self) -> None:
        compiled = io.BytesIO()
        write_mo(compiled, catalogue())
        assert (FOLDER / "django.mo").read_bytes() == compiled.getvalue()

    def test_is_what_pages_show(self) -> None:
        with override("hi"):
            assert gettext("Talk to a person") == "किसी इंसान से बात करें"
