"""Preparing a data folder, as far as it needs no database."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancover_assist.embedded import prepare
from plancover_assist.embedded.folders import make_folders
from plancover_assist.embedded.layout import Layout


@pytest.fixture
def layout(tmp_path: Path) -> Iterator[Layout]:
    layout = Layout.of(tmp_path / "data")
    make_folders(layout)
    yield layout
    shutil.rmtree(layout.short, ignore_errors=True)


def open_files() -> set[str]:
    return {str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}


class TestAPreparedFolder:
    def test_is_left_as_it_is_and_its_lock_let_go(self, layout: Layout, tmp_path: Path) -> None:
        prepare._mark(tmp_path, layout)
        prepare.prepare(tmp_path, layout.root, only_if_needed=True)

        assert str(layout.locks / "prepare") not in open_files()

    def test_is_known_by_its_migrations(self, layout: Layout, tmp_path: Path) -> None:
        prepare._mark(tmp_path, layout)
        assert prepare.is_prepared(tmp_path, layout.root)
        newer = tmp_path / "chat" / "migrations" / "0002_more.py"
        newer.parent.mkdir(parents=True)
        newer.touch()
        assert not prepare.is_prepared(tmp_path, layout.root)

    def test_is_marked_anew_over_a_longer_mark(self, layout: Layout, tmp_path: Path) -> None:
        (layout.root / "prepared").write_text("x" * 1000)
        prepare._mark(tmp_path, layout)
        assert prepare.is_prepared(tmp_path, layout.root)
