"""Draws the turn's table into docs/architecture.md; a test demands that the page holds the current drawing.

.venv/bin/python scripts/diagram.py
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
_PLACE = re.compile(r"(?<=<!-- diagram -->\n).*?(?=<!-- /diagram -->)", re.DOTALL)


def edges() -> Iterator[tuple[str, str]]:
    """Every edge that the runner allows, in the table's order."""
    from chat.turn.graph import NODES, START

    yield "START", START
    for name, node in NODES.items():
        after = [target for target in NODES if target in node.edges]
        yield from ((name, target) for target in after)
        yield from ((name, "END") for _ in node.edges.difference(NODES))


def mermaid() -> str:
    """Return the table as a fenced Mermaid flow chart; a node that may speak has a double border."""
    from chat.turn.graph import NODES, SpeakingNode

    speaking = [f"    {name}[[{name}]]" for name, node in NODES.items() if isinstance(node, SpeakingNode)]
    arrows = [f"    {source} --> {target}" for source, target in edges()]
    return "\n".join(["```mermaid", "flowchart TD", *speaking, *arrows, "```"]) + "\n"


def drawn_into(page: str) -> str:
    """Return the page's text with the current drawing between its marks. Raises `ValueError` without them."""
    text, places = _PLACE.subn(lambda _: mermaid(), page)
    if places != 1:
        raise ValueError("the page needs one place for the diagram")
    return text


def main() -> None:
    """Write the drawing into the page."""
    import django

    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plancover_assist.settings.base")
    django.setup()
    PAGE.write_text(drawn_into(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
