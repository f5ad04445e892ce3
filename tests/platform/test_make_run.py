"""`make run` as a person uses it: an empty folder, a second start, everything killed, Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from plancover_assist.embedded import Layout

pytestmark = [pytest.mark.process, pytest.mark.timeout(400)]

PROJECT = Path(__file__).resolve().parents[2]
LAST_LINE = "Ctrl-C stops everything"
END_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A data folder and a port."""

    data_dir: Path
    port: int

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        return kept | {"DATA_DIR": str(self.data_dir), "PORT": str(self.port)}

    def processes(self) -> list[int]:
        """Every process that belongs to a run in this place, the supervisor's children and servers too."""
        marks = (f"\0-p\0{self.port}\0", str(Layout.of(self.data_dir).sockets))
        return [pid for pid, line in command_lines() if any(mark in line for mark in marks)]


def command_lines() -> Iterator[tuple[int, str]]:
    """Process id and command line of every living process."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                yield int(folder.name), (folder / "cmdline").read_text(errors="replace")
            except (FileNotFoundError, ProcessLookupError):
                continue


def launch(place: Place) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "plancover_assist.embedded.run"],
        cwd=PROJECT,
        env=place.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@contextmanager
def running(place: Place) -> Iterator["subprocess.Popen[str]"]:
    """A run that said that it is ready; whatever is left of it afterwards is killed."""
    run = launch(place)
    assert run.stdout is not None
    said = ""
    while LAST_LINE not in said:
        line = run.stdout.readline()
        assert line, f"it ended: {run.communicate()}"
        said += line
    assert f"http://127.0.0.1:{place.port}/" in said
    assert "demo-member-a1" in said
    try:
        yield run
    finally:
        for pid in [run.pid, *place.processes()]:
            kill(pid)
        run.communicate()


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def wait_for(condition: Callable[[], bool]) -> bool:
    """Whether the condition came true; the limit only keeps a broken suite from hanging."""
    deadline = time.monotonic() + END_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def fetch(place: Place, path: str) -> str:
    """The status line of a page."""
    with socket.create_connection(("127.0.0.1", place.port), timeout=30) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
        return connection.recv(200).decode().split("\r\n")[0]


def ask(place: Place) -> int:
    """One question by the command line; its exit code."""
    return subprocess.run(
        [sys.executable, "manage.py", "ask", "--as", "member-a1", "What is a deductible?"],
        cwd=PROJECT, env=place.environment(), capture_output=True, check=False,
    ).returncode  # fmt: skip


def count_messages(place: Place) -> int:
    with psycopg.connect(Layout.of(place.data_dir).endpoints.database_url) as connection:
        row = connection.execute("SELECT count(*) FROM chat_message").fetchone()
    assert row is not None
    return int(row[0])


def refused(place: Place, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A run that must not start."""
    return subprocess.run(
        [sys.executable, "-m", "plancover_assist.embedded.run"],
        cwd=PROJECT, env=place.environment() | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """One folder for the whole story, with a space in its name."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    return Place(tmp_path_factory.mktemp("make run") / "my data", port)


class TestMakeRun:
    def test_serves_from_an_empty_folder_and_loses_nothing_when_all_is_killed(self, place: Place) -> None:
        with running(place) as run:
            assert fetch(place, "/").endswith("200 OK")
            assert ask(place) == 0
            assert fetch(place, "/readyz").endswith("200 OK")
            kept = count_messages(place)
            taken = refused(place)
            for pid in [run.pid, *place.processes()]:
                kill(pid)
        assert (taken.returncode, taken.stderr.count("\n")) == (1, 1)
        assert f"Port {place.port}" in taken.stderr
        with running(place):
            assert count_messages(place) == kept > 0

    def test_leaves_no_process_after_ctrl_c(self, place: Place) -> None:
        with running(place) as run:
            assert len(place.processes()) >= 3
            os.killpg(run.pid, signal.SIGINT)
            assert run.wait(END_SECONDS) == 0
            assert place.processes() == []

    def test_ends_with_the_last_words_of_a_part_that_died(self, place: Place) -> None:
        with running(place) as run:
            postmaster = int((place.data_dir / "postgres" / "postmaster.pid").read_text().split("\n")[0])
            kill(postmaster)
            assert run.wait(END_SECONDS) == 1
            assert run.stderr is not None
            assert "Postgres has ended" in run.stderr.read()
            assert wait_for(lambda: place.processes() == [])

    def test_goes_on_without_valkey_and_starts_it_again(self, place: Place) -> None:
        with running(place) as run:
            pid_file = place.data_dir / "valkey" / "valkey.pid"
            died = int(pid_file.read_text())
            kill(died)
            assert wait_for(lambda: pid_file.exists() and pid_file.read_text().strip() not in {"", str(died)})
            assert fetch(place, "/").endswith("200 OK")
            assert run.poll() is None

    def test_takes_its_web_process_along_when_it_is_killed_itself(self, place: Place) -> None:
        with running(place) as run:
            kill(run.pid)
            run.wait(END_SECONDS)
            mark = f"\0-p\0{place.port}\0"
            assert wait_for(lambda: not any(mark in line for _, line in command_lines()))


class TestRefusing:
    @pytest.mark.parametrize("port", ["eight thousand", "0", "70000", "-1"])
    def test_a_port_that_is_none_takes_one_sentence(self, tmp_path: Path, port: str) -> None:
        done = refused(Place(tmp_path / "data", 1), PORT=port)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "PORT must be a number" in done.stderr

    def test_a_folder_that_cannot_be_written_takes_one_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = int(probe.getsockname()[1])
        done = refused(Place(tmp_path / "file" / "data", port))
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "cannot be written" in done.stderr
