"""Telling living processes from dead ones, and locks that keep starts apart."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plancover_assist.embedded import processes
from plancover_assist.embedded.account import Account
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.locks import FileLock

ME = Account(os.geteuid(), os.getegid())
SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def _wait_for_state(pid: int, state: str) -> None:
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != state:
        time.sleep(0.01)


class TestLiving:
    def test_is_true_of_a_running_process(self) -> None:
        assert processes.lives(os.getpid())

    def test_is_false_of_a_zombie(self) -> None:
        child = subprocess.Popen(SLEEP)
        child.kill()
        _wait_for_state(child.pid, "Z")
        assert not processes.lives(child.pid)
        child.wait()

    def test_is_false_of_nobody(self) -> None:
        child = subprocess.Popen(SLEEP)
        child.kill()
        child.wait()
        assert not processes.lives(child.pid)


class TestWorkingInAFolder:
    def test_tells_ours_from_a_stranger(self, tmp_path: Path) -> None:
        child = subprocess.Popen(SLEEP, cwd=tmp_path)
        try:
            assert processes.works_in(child.pid, tmp_path)
            assert not processes.works_in(os.getpid(), tmp_path)
        finally:
            child.kill()
            child.wait()


class TestStopping:
    def test_goes_on_to_the_harder_signal(self) -> None:
        ignoring = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
        stubborn = f"import signal, time; {ignoring}; print(flush=True); time.sleep(60)"
        child = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        processes.stop(child.pid, (signal.SIGTERM, 0.1), (signal.SIGKILL, 5.0))
        assert child.wait() == -signal.SIGKILL
        child.stdout.close()


class TestStarting:
    def test_hides_the_environment_and_keeps_the_output(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PGDATA", "/somewhere/else")
        command = [sys.executable, "-c", "import os; print(os.environ.get('PGDATA'), os.getcwd())"]
        child = processes.start_detached(
            command, account=ME, keeper=ME, folder=tmp_path, log=tmp_path / "log"
        )
        child.wait()
        assert processes.last_lines(tmp_path / "log") == f"None {tmp_path.resolve()}"

    def test_happens_out_of_reach_of_the_terminal(self, tmp_path: Path) -> None:
        child = processes.start_detached(SLEEP, account=ME, keeper=ME, folder=tmp_path, log=tmp_path / "log")
        try:
            assert os.getsid(child.pid) != os.getsid(0)
        finally:
            child.kill()
            child.wait()


class TestLogs:
    def test_are_set_aside_when_large(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(processes, "LOG_KEPT_BYTES", 10)
        log = tmp_path / "web.log"
        log.write_text("more than ten bytes")
        processes.open_log(log, ME).close()
        assert (log.read_text(), (tmp_path / "web.log.1").read_text()) == ("", "more than ten bytes")

    def test_of_nothing_end_with_nothing(self, tmp_path: Path) -> None:
        assert processes.last_lines(tmp_path / "none") == ""


class TestAFileThatRootOpens:
    """Whoever may write to the folder may put something in its place."""

    @pytest.fixture
    def secret(self, tmp_path: Path) -> Path:
        secret = tmp_path / "secret"
        secret.write_text("untouched")
        return secret

    def test_is_never_opened_through_a_link(self, tmp_path: Path, secret: Path) -> None:
        (tmp_path / "link").symlink_to(secret)
        before = secret.stat()
        with pytest.raises(EmbeddedError, match="cannot be opened"):
            processes.open_log(tmp_path / "link", Account(uid=54321, gid=54321))
        with pytest.raises(EmbeddedError, match="cannot be opened"):
            FileLock(tmp_path / "link", Account(uid=54321, gid=54321))
        assert (secret.read_text(), secret.stat().st_uid) == ("untouched", before.st_uid)

    def test_is_nothing_but_a_plain_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(EmbeddedError, match="no plain file"):
            FileLock(tmp_path / "pipe", ME)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
    def test_belongs_to_its_keeper(self, tmp_path: Path) -> None:
        processes.open_log(tmp_path / "log", Account(uid=54321, gid=54321)).close()
        assert (tmp_path / "log").stat().st_uid == 54321

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
    def test_lies_in_no_folder_behind_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "folder")
        with pytest.raises(OSError, match="link"):
            Account(uid=54321, gid=54321).take(tmp_path / "link")
        assert (tmp_path / "folder").stat().st_uid == 0


class TestFileLock:
    def test_shared_by_one_is_not_to_be_had_alone_by_another(self, tmp_path: Path) -> None:
        first, second = FileLock(tmp_path / "lock", ME), FileLock(tmp_path / "lock", ME)
        first.share()
        assert not second.try_alone()
        first.release()
        assert second.try_alone()
        first.close()
        second.close()

    def test_kept_by_somebody_gives_one_sentence(self, tmp_path: Path) -> None:
        first, second = FileLock(tmp_path / "lock", ME), FileLock(tmp_path / "lock", ME)
        with first.alone(), pytest.raises(EmbeddedError, match="locked"), second.alone(seconds=0.1):
            pass
        first.close()
        second.close()
