"""Where things lie, who runs them, and which folders an account can walk through."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from plancover_assist.embedded.account import Account, keeper_account, server_account
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.folders import make_folders
from plancover_assist.embedded.layout import LONGEST_SOCKET_PATH, POSTGRES_SOCKET, Layout, endpoints

STRANGER = Account(uid=54321, gid=54321)


class TestSockets:
    def test_lie_inside_a_data_folder_with_a_short_path(self, tmp_path: Path) -> None:
        short = Path("/tmp/plc")
        assert Layout.of(short).sockets == short / "run"

    def test_move_to_a_short_folder_when_the_path_is_long(self, tmp_path: Path) -> None:
        layout = Layout.of(tmp_path / ("deep" * 25))
        assert len(os.fsencode(layout.sockets / POSTGRES_SOCKET)) <= LONGEST_SOCKET_PATH
        assert layout.sockets != layout.root / "run"

    def test_differ_between_two_long_folders(self, tmp_path: Path) -> None:
        assert Layout.of(tmp_path / ("a" * 100)).sockets != Layout.of(tmp_path / ("b" * 100)).sockets

    def test_count_bytes_and_not_letters(self) -> None:
        hindi = Path("/tmp") / ("क" * 32)  # 37 letters, 101 bytes
        assert Layout.of(hindi).sockets != hindi / "run"


class TestEndpoints:
    def test_survive_a_space_and_capital_letters_in_the_path(self) -> None:
        found = endpoints(Path("/tmp/My Data"))
        assert parse_qs(urlsplit(found.database_url).query)["host"] == ["/tmp/My Data/run"]
        assert unquote(urlsplit(found.redis_url).path) == "/tmp/My Data/run/valkey.sock"

    def test_are_computed_without_making_the_folder(self, tmp_path: Path) -> None:
        endpoints(tmp_path / "data")
        assert not (tmp_path / "data").exists()


class TestReaching:
    @pytest.mark.parametrize(("mode", "reachable"), [(0o700, False), (0o711, True), (0o755, True)])
    def test_needs_passage_through_every_folder_above(
        self, tmp_path: Path, mode: int, reachable: bool
    ) -> None:
        for folder in (tmp_path, *tmp_path.parents[:-1]):
            if folder.stat().st_uid == os.geteuid() and folder != Path("/tmp"):
                folder.chmod(0o755)
        closed = tmp_path / "closed"
        closed.mkdir()
        closed.chmod(mode)
        assert STRANGER.reaches(closed / "inside") is reachable

    def test_is_always_given_to_root(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o700)
        assert Account(0, 0).reaches(tmp_path / "inside")


class TestServerAccount:
    def test_is_oneself_unless_root(self, tmp_path: Path) -> None:
        if os.geteuid() == 0:
            assert server_account(tmp_path).uid != 0
        else:
            assert server_account(tmp_path).uid == os.geteuid()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
    def test_is_the_owner_of_the_folder_so_that_files_stay_theirs(self, tmp_path: Path) -> None:
        os.chown(tmp_path, STRANGER.uid, STRANGER.gid)
        assert server_account(tmp_path / "data") == STRANGER


class TestKeeperAccount:
    def test_is_oneself_in_a_folder_of_ones_own(self, tmp_path: Path) -> None:
        assert keeper_account(tmp_path / "data").uid == os.geteuid()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
    def test_is_the_owner_of_the_folder_so_that_files_stay_theirs(self, tmp_path: Path) -> None:
        os.chown(tmp_path, STRANGER.uid, STRANGER.gid)
        assert keeper_account(tmp_path / "data") == STRANGER


class TestFolders:
    @pytest.fixture
    @staticmethod
    def layout(tmp_path: Path) -> Iterator[Layout]:
        """A data folder that is not there yet; its short folder, if it gets one, is taken away again."""
        layout = Layout.of(tmp_path / "data")
        yield layout
        shutil.rmtree(layout.short, ignore_errors=True)

    def test_are_private_where_the_sockets_lie(self, layout: Layout) -> None:
        make_folders(layout)
        assert layout.sockets.stat().st_mode & 0o777 == 0o700

    def test_of_logs_and_locks_are_not_the_servers_to_write_in(self, layout: Layout) -> None:
        make_folders(layout)
        for folder in (layout.root, layout.logs, layout.locks):
            assert folder.stat().st_uid == layout.keeper.uid == os.geteuid()
            assert not folder.stat().st_mode & 0o022

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root has another account for the servers")
    def test_let_the_servers_pass_whatever_the_umask(self, layout: Layout) -> None:
        before = os.umask(0o077)
        try:
            make_folders(layout)
        finally:
            os.umask(before)
        assert layout.root.stat().st_mode & 0o777 == 0o711
        assert layout.sockets.stat().st_uid == layout.account.uid

    def test_leave_a_folder_that_was_there_before_to_its_owner(self, layout: Layout) -> None:
        layout.root.mkdir()
        layout.root.chmod(0o751)
        before = layout.root.stat()
        make_folders(layout)
        assert (layout.root.stat().st_uid, layout.root.stat().st_mode) == (before.st_uid, before.st_mode)

    def test_that_cannot_be_made_give_one_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        with pytest.raises(EmbeddedError) as caught:
            make_folders(Layout.of(tmp_path / "file" / "data"))
        assert "cannot be written" in caught.value.message
        assert "DATA_DIR" in caught.value.message
        assert "\n" not in caught.value.message

    def test_refuse_a_short_folder_planted_by_somebody_else(self, tmp_path: Path) -> None:
        layout = Layout.of(tmp_path / ("long" * 30))
        layout.short.symlink_to(tmp_path)
        try:
            with pytest.raises(EmbeddedError, match="belongs to somebody else"):
                make_folders(layout)
        finally:
            layout.short.unlink()
