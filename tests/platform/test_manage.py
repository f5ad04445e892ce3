"""`manage.py` finds its database running, starts nothing without need, and keeps standard output clean."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from manage import needs_database
from plancover_assist import embedded
from plancover_assist.embedded import processes
from plancover_assist.embedded.holding import hold_servers

PROJECT = Path(__file__).resolve().parents[2]


def manage(data_dir: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run one command in a process of its own, with its own data folder and without the suite's settings."""
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=inherited | {"DATA_DIR": str(data_dir)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


class TestNeedingTheDatabase:
    @pytest.mark.parametrize("line", ["migrate", "ask hello", "reindex --dry-run", "seed_demo", "shell"])
    def test_is_true_of_what_reads_it(self, line: str) -> None:
        assert needs_database(line.split())

    @pytest.mark.parametrize(
        "line",
        ["", "help", "check", "makemigrations --check", "ask --help", "no_such_command", "export_openapi"],
    )
    def test_is_false_of_the_rest(self, line: str) -> None:
        assert not needs_database(line.split())


@pytest.mark.process
class TestCommands:
    @pytest.fixture(scope="class")
    @staticmethod
    def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
        return tmp_path_factory.mktemp("manage") / "data"

    @pytest.fixture(scope="class")
    @staticmethod
    def first(data_dir: Path) -> "subprocess.CompletedProcess[str]":
        """The first command ever on an empty folder."""
        return manage(data_dir, "ask", "--as", "member-a1", "--json", "What is the cataract limit per eye?")

    def test_without_a_database_make_no_data_folder(self, tmp_path: Path) -> None:
        done = manage(tmp_path / "data", "makemigrations", "--check", "--dry-run")
        assert (done.returncode, "RuntimeWarning" in done.stderr) == (0, False)
        assert not (tmp_path / "data").exists()

    def test_on_an_empty_folder_migrate_seed_and_index_first(
        self, first: "subprocess.CompletedProcess[str]"
    ) -> None:
        assert first.returncode == 0, first.stderr
        assert "₹40,000" in json.loads(first.stdout)["answer"]

    def test_print_nothing_but_their_object(self, first: "subprocess.CompletedProcess[str]") -> None:
        assert len(first.stdout.splitlines()) == 1

    def test_prepare_a_folder_once(self, data_dir: Path, first: "subprocess.CompletedProcess[str]") -> None:
        again = manage(data_dir, "ask", "What is a deductible?")
        assert again.returncode == 0
        assert "chunks" not in again.stderr

    def test_stop_the_servers_that_they_started(
        self, data_dir: Path, first: "subprocess.CompletedProcess[str]"
    ) -> None:
        assert not (data_dir / "postgres" / "postmaster.pid").exists()

    def test_leave_the_servers_of_somebody_else_alone(
        self, data_dir: Path, first: "subprocess.CompletedProcess[str]"
    ) -> None:
        with hold_servers(data_dir) as held:
            running = [processes.read_pid(server.pid_file) for server in held.servers]
            assert manage(data_dir, "showmigrations", "chat").returncode == 0
            assert [processes.read_pid(server.pid_file) for server in held.servers] == running

    def test_use_a_named_database_as_it_is(
        self, data_dir: Path, first: "subprocess.CompletedProcess[str]", tmp_path: Path
    ) -> None:
        with embedded.hold(data_dir) as endpoints:
            done = manage(tmp_path / "other", "showmigrations", "chat", DATABASE_URL=endpoints.database_url)
        assert done.returncode == 0
        assert "[X]" in done.stdout
        assert not (tmp_path / "other").exists()

    def test_say_in_one_sentence_that_a_folder_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        done = manage(tmp_path / "file" / "data", "migrate")
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "cannot be written" in done.stderr


class TestAnOldPython:
    def test_gets_one_sentence(self) -> None:
        script = "import sys; sys.version_info = (3, 9, 18, 'final', 0); import plancover_assist"
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert "needs Python 3.11 or newer" in done.stderr
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize("found", ["exit 1", None], ids=["too old", "missing"])
    def test_gets_one_sentence_from_make_setup_too(self, tmp_path: Path, found: str | None) -> None:
        if found is not None:
            for name in ("python3.11", "python3.12", "python3.13", "python3", "python"):
                (tmp_path / name).write_text(f"#!/bin/sh\n{found}\n")
                (tmp_path / name).chmod(0o755)
        done = subprocess.run(
            ["/bin/sh", str(PROJECT / "scripts" / "make-venv.sh")],
            cwd=tmp_path,
            env={"PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "needs Python 3.11 or newer" in done.stderr
        assert not (tmp_path / ".venv").exists()
