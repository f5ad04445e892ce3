"""The tree and its functions, read as text for the structure and documentation tests.

It must import nothing of the product, so that a broken module cannot hide from it.
"""

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("audit", "chat", "confirmations", "plancover_assist", "retrieval", "tools")
# What tools and runs leave in a checkout; none of it is ours.
_LEFT_BY_TOOLS = frozenset({"__pycache__", "node_modules", "staticfiles", "test-results"})
_HIDDEN_AND_OURS = frozenset({".ci", ".env.example", ".github", ".gitignore", ".dockerignore"})


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method; `lines` counts from `def` to its last line, docstring included."""

    place: str
    name: str
    lines: int

    def __str__(self) -> str:
        return f"{self.place} {self.name}: {self.lines} lines"


def is_ours(name: str) -> bool:
    """Whether a folder or file of this name can belong to the project, hidden ones aside."""
    return name not in _LEFT_BY_TOOLS and (
        not name.startswith(".") or name in {".ci", ".env.example", ".github"}
    )


def tree() -> Iterator[Path]:
    """Every file of the project, without what tools and runs leave behind."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(filter(is_ours, folders))
        yield from (Path(folder, name) for name in sorted(files) if is_ours(name))


def modules(*, tests: bool) -> Iterator[Path]:
    """The product's Python modules without migrations: either its tests or all the rest."""
    for path in tree():
        parts = path.relative_to(ROOT).parts
        product = path.suffix == ".py" and parts[0] in PRODUCT and "migrations" not in parts
        if product and ("tests" in parts) is tests:
            yield path


def functions(path: Path) -> Iterator[Function]:
    """Every function of one module, nested ones and methods included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            end = node.end_lineno or node.lineno
            yield Function(f"{relative(path)}:{node.lineno}", node.name, end - node.lineno + 1)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())
