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
        child = processes.start_detached(command, account=ME, folder=tmp_path, log=tmp_path / "log")
        child.wait()
        assert processes.last_lines(tmp_path / "log") == f"None {tmp_path.resolve()}"

    def test_happens_out_of_reach_of_the_terminal(self, tmp_path: Path) -> None:
        child = processes.start_detached(SLEEP, account=ME, folder=tmp_path, log=tmp_path / "log")
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
