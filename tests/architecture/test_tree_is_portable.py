"""Nothing in the tree names the machine it was written on or the mirror it was installed from."""

import re

import pytest

from tests.architecture.source import relative, tree

pytestmark = pytest.mark.docs

# Written in pieces, so that this file does not hold what it looks for.
_MACHINE = ("/" + "work/", "/" + "root/", "/home/" + "[a-z]", "/Users" + "/[A-Za-z]", "/" + "tmp/plan")
_MIRROR = (
    r"pypi\." + "org",
    r"python" + "hosted",
    r"registry\." + "npmjs",
    "--(extra-)?index" + "-url [a-z]",
    r"artifact" + "ory",
)
_FORBIDDEN = re.compile("|".join(_MACHINE + _MIRROR))


def _text(path_bytes: bytes) -> str:
    return "" if b"\0" in path_bytes[:8192] else path_bytes.decode("utf-8", errors="replace")


class TestTheTree:
    def test_names_no_machine_and_no_registry(self) -> None:
        found = [
            f"{relative(path)}:{number}: {line.strip()[:100]}"
            for path in tree()
            for number, line in enumerate(_text(path.read_bytes()).splitlines(), start=1)
            if _FORBIDDEN.search(line)
        ]
        assert found == []

    @pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
    def test_pins_every_package_with_a_hash(self, name: str) -> None:
        pinned = {relative(path): path.read_text(encoding="utf-8") for path in tree() if path.name == name}
        blocks = re.split(r"\n(?=\S)", pinned[name])
        packages = [block for block in blocks if re.match(r"[A-Za-z0-9]", block)]
        assert len(packages) > 20
        assert [block.splitlines()[0] for block in packages if "--hash=sha256:" not in block] == []
