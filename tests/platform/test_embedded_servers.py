"""The embedded servers for real: started, joined, killed, and gone when nobody needs them."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
import redis

from plancover_assist import embedded
from plancover_assist.embedded import processes
from plancover_assist.embedded.account import Account
from plancover_assist.embedded.folders import make_folders
from plancover_assist.embedded.holding import Held, hold_servers

pytestmark = pytest.mark.process

PROJECT = Path(__file__).resolve().parents[2]
# Another process that holds a folder: says so on standard output, leaves when its input ends.
HOLDER = """
import sys
from pathlib import Path
from plancover_assist import embedded
try:
    with embedded.hold(Path(sys.argv[1])) as endpoints:
        print(endpoints.database_url, flush=True)
        sys.stdin.read()
except embedded.EmbeddedError as error:
    sys.exit(error.message)
"""


@contextmanager
def another_process(data_dir: Path, script: str = HOLDER) -> Iterator["subprocess.Popen[str]"]:
    """A second process that holds `data_dir` for the length of the block."""
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(data_dir)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with child:
        try:
            yield child
        finally:
            if child.stdin is not None and not child.stdin.closed:
                child.stdin.close()
            child.wait(60)


def is_holding(child: "subprocess.Popen[str]") -> bool:
    assert child.stdout is not None
    return child.stdout.readline().startswith("postgresql://")


def pids(held: Held) -> list[int]:
    """The main processes of both servers."""
    return [pid for server in held.servers if (pid := processes.read_pid(server.pid_file)) is not None]


def kill_all(held: Held) -> None:
    """What a machine does that runs out of memory: SIGKILL for both servers and all that they started."""
    mains = pids(held)
    families = [Path(f"/proc/{pid}/task/{pid}/children").read_text().split() for pid in mains]
    for pid in [*mains, *(int(pid) for family in families for pid in family)]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def add_row(endpoints: embedded.Endpoints) -> int:
    """Write one row and return how many there are."""
    with psycopg.connect(endpoints.database_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (at timestamptz DEFAULT now())")
        connection.execute("INSERT INTO kept DEFAULT VALUES")
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert row is not None
    return int(row[0])


def add_key(endpoints: embedded.Endpoints) -> int:
    """Count up in Valkey and return the count."""
    with redis.Redis.from_url(endpoints.redis_url) as client:
        return int(str(client.incr("kept")))


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Return once `condition()` holds; the limit only keeps a broken suite from hanging."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def run_as_nobody(folder: Path, mode: int) -> str:
    """Hold a data folder inside `folder` as the account nobody; what it wrote to standard error."""
    nobody = pwd.getpwnam("nobody")
    for above in folder.parents:
        if above.stat().st_mode & 0o005 != 0o005:
            above.chmod(above.stat().st_mode | 0o055)
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    folder.chmod(mode)
    become = f"import os; os.setgroups([]); os.setgid({nobody.pw_gid}); os.setuid({nobody.pw_uid})"
    imports, _, body = HOLDER.partition("try:")
    with another_process(folder / "data", f"{imports}\n{become}\ntry:{body}") as other:
        _, words = other.communicate(timeout=60)
    return words


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


class TestStarting:
    def test_gives_a_database_with_vectors_and_a_valkey(self, data_dir: Path) -> None:
        with embedded.hold(data_dir) as endpoints, psycopg.connect(endpoints.database_url) as connection:
            connection.execute("CREATE EXTENSION vector")
            assert add_key(endpoints) == 1

    def test_listens_on_no_network(self, data_dir: Path) -> None:
        with embedded.hold(data_dir) as endpoints, psycopg.connect(endpoints.database_url) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
            with redis.Redis.from_url(endpoints.redis_url) as client:
                assert client.config_get("port") == {"port": "0"}

    def test_lets_nobody_else_near_the_sockets(self, data_dir: Path) -> None:
        with hold_servers(data_dir) as held:
            assert held.layout.sockets.stat().st_mode & 0o077 == 0

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root has somebody to hand the servers to")
    def test_as_root_hands_the_servers_to_an_unprivileged_account(self, data_dir: Path) -> None:
        with hold_servers(data_dir) as held:
            assert all(Path(f"/proc/{pid}").stat().st_uid != 0 for pid in pids(held))

    def test_twice_keeps_what_was_there(self, data_dir: Path) -> None:
        with embedded.hold(data_dir) as endpoints:
            first = (add_row(endpoints), add_key(endpoints))
        with embedded.hold(data_dir) as endpoints:
            second = (add_row(endpoints), add_key(endpoints))
        assert (first, second) == ((1, 1), (2, 2))

    def test_at_once_from_two_processes_works_for_both(self, data_dir: Path) -> None:
        with another_process(data_dir) as one, another_process(data_dir) as two:
            assert is_holding(one)
            assert is_holding(two)

    def test_begins_again_where_a_first_start_was_cut_short(self, data_dir: Path) -> None:
        layout = embedded.Layout.of(data_dir)
        make_folders(layout)
        half = layout.root / "postgres.new"
        half.mkdir()
        (half / "PG_VERSION").write_text("18")
        with embedded.hold(data_dir) as endpoints:
            assert add_row(endpoints) == 1


class TestPlaces:
    @pytest.mark.parametrize("name", ["with a space", "डेटा", "long" * 40], ids=["space", "hindi", "long"])
    def test_of_any_name_will_do(self, tmp_path: Path, name: str) -> None:
        with embedded.hold(tmp_path / name) as endpoints:
            assert (add_row(endpoints), add_key(endpoints)) == (1, 1)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root reaches into folders closed to its servers")
    def test_closed_to_the_servers_account_work_and_stay_closed(self, tmp_path: Path) -> None:
        closed = tmp_path / "closed"
        closed.mkdir(mode=0o700)
        with embedded.hold(closed / "data") as endpoints:
            add_row(endpoints)
        with embedded.hold(closed / "data") as endpoints:
            assert add_row(endpoints) == 2
        assert closed.stat().st_mode & 0o777 == 0o700

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can close the programs' folder to its servers")
    def test_whose_programs_the_account_cannot_reach_get_a_copy(
        self, data_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Account, "reaches", lambda *_: False)
        with hold_servers(data_dir) as held:
            assert add_row(held.endpoints) == 1
            assert held.layout.short in held.servers[0].programs.postgres_bin.parents
        assert not held.layout.short.exists()


class TestHolding:
    def test_keeps_the_servers_until_the_last_one_leaves(self, data_dir: Path) -> None:
        with another_process(data_dir) as other:
            with hold_servers(data_dir) as held:
                assert is_holding(other)
                running = pids(held)
            assert all(processes.lives(pid) for pid in running)
        assert not any(processes.lives(pid) for pid in running)

    def test_ends_with_a_holder_that_is_killed(self, data_dir: Path) -> None:
        with another_process(data_dir) as other:
            assert is_holding(other)
            other.kill()
        with hold_servers(data_dir) as held:
            running = pids(held)
        assert not any(processes.lives(pid) for pid in running)

    def test_survives_a_ctrl_c_at_the_terminal_of_another(self, data_dir: Path) -> None:
        with another_process(data_dir) as other, hold_servers(data_dir) as held:
            assert is_holding(other)
            os.kill(other.pid, signal.SIGINT)
            other.wait(60)
            assert add_row(held.endpoints) == 1


class TestBeingKilled:
    def test_loses_nothing(self, data_dir: Path) -> None:
        with hold_servers(data_dir) as held:
            add_row(held.endpoints)
            kill_all(held)
        with embedded.hold(data_dir) as endpoints:
            assert add_row(endpoints) == 2

    def test_is_noticed_behind_a_zombie(self, data_dir: Path) -> None:
        with hold_servers(data_dir) as held:
            add_row(held.endpoints)
            kill_all(held)
            wait_for(lambda: not held.servers[0].alive())
            with embedded.hold(data_dir) as endpoints:
                assert add_row(endpoints) == 2

    def test_of_postgres_alone_is_repaired_by_the_next_to_come(self, data_dir: Path) -> None:
        with hold_servers(data_dir) as held:
            add_row(held.endpoints)
            os.kill(pids(held)[0], signal.SIGKILL)
            with embedded.hold(data_dir) as endpoints:
                assert add_row(endpoints) == 2

    def test_leaves_a_process_id_that_may_belong_to_a_stranger_now(self, data_dir: Path) -> None:
        with hold_servers(data_dir) as held:
            add_row(held.endpoints)
            files = [server.pid_file for server in held.servers]
            kill_all(held)
        for file in files:
            lines = file.read_text().split("\n") if file.exists() else [""]
            file.write_text("\n".join([str(os.getpid()), *lines[1:]]))
        with embedded.hold(data_dir) as endpoints:
            assert add_row(endpoints) == 2


class TestADeletedFolder:
    def test_is_not_served_by_those_who_served_it_before(self, tmp_path: Path) -> None:
        data_dir = tmp_path / ("long" * 40)
        with another_process(data_dir) as other:
            assert is_holding(other)
            other.kill()
        postgres = int((data_dir / "postgres" / "postmaster.pid").read_text().split("\n")[0])
        valkey = int((data_dir / "valkey" / "valkey.pid").read_text())
        shutil.rmtree(data_dir)
        with hold_servers(data_dir) as held:
            assert (add_row(held.endpoints), add_key(held.endpoints)) == (1, 1)
            assert not processes.lives(postgres)
            wait_for(lambda: not processes.lives(valkey))


class TestRefusing:
    def test_a_folder_that_cannot_be_written_takes_one_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        with another_process(tmp_path / "file" / "data") as other:
            _, words = other.communicate(timeout=60)
        assert other.returncode != 0
        assert words.count("\n") == 1
        assert "cannot be written" in words

    @pytest.mark.skipif(os.geteuid() != 0, reason="the suite must be root to become somebody else")
    def test_a_read_only_folder_of_an_ordinary_user_takes_one_sentence(self, tmp_path: Path) -> None:
        words = run_as_nobody(tmp_path, mode=0o555)
        assert words.count("\n") == 1
        assert "cannot be written" in words

    @pytest.mark.skipif(os.geteuid() != 0, reason="the suite must be root to become somebody else")
    def test_nothing_to_an_ordinary_user(self, tmp_path: Path) -> None:
        assert run_as_nobody(tmp_path, mode=0o755) == ""
        assert (tmp_path / "data" / "postgres").owner() == "nobody"

    def test_a_server_that_ends_at_once_reports_its_last_words(self, data_dir: Path) -> None:
        with embedded.hold(data_dir):
            pass
        (data_dir / "postgres" / "postgresql.conf").write_text("no_such_setting = 1\n")
        with pytest.raises(embedded.EmbeddedError, match="no_such_setting"), embedded.hold(data_dir):
            pass
