"""The embedded Postgres: makes its data folder, starts it on a private socket, makes the database.

Trust authentication is safe here only because the socket's folder can be entered by one account alone;
nothing listens on a network. Extensions are the migrations' business.
"""

import shutil
import signal
import subprocess
from pathlib import Path
from typing import ClassVar

from plancover_assist.embedded import processes
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.layout import DATABASE, DATABASE_USER, POSTGRES_SOCKET
from plancover_assist.embedded.server import Server

# The working directory of the process itself: reachable even where the folders above it are not.
HERE = "/proc/self/cwd"
INITDB_OPTIONS = (
    f"--username={DATABASE_USER}",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-sync",
)
CLIENT_SECONDS = 60.0  # far beyond what making a database takes on a slow disk
NO_ANSWER = 2  # as pg_isready and psql say it themselves
# Words of Postgres' log after which a second try helps: a predecessor is only just ending.
PASSING_TROUBLE = ("lock file", "pre-existing shared memory block", "the database system is")


class Postgres(Server):
    """Postgres with pgvector, from the wheel's programs."""

    name = "Postgres"
    # Fast shutdown first; immediate (recovers at the next start) where a client keeps it from ending.
    stop_steps: ClassVar[tuple[tuple[signal.Signals, float], ...]] = (
        (signal.SIGINT, 30.0),
        (signal.SIGQUIT, 10.0),
        (signal.SIGKILL, 5.0),
    )

    @property
    def folder(self) -> Path:
        return self.layout.postgres

    @property
    def pid_file(self) -> Path:
        return self.folder / "postmaster.pid"

    def ensure(self) -> None:
        """Return with the server answering and the database in it."""
        if not self.folder.exists():
            self._create()
        super().ensure()
        self._ensure_database()

    def answers(self) -> bool:
        return self._client("pg_isready", "--quiet", f"--dbname={DATABASE}").returncode == 0

    def command(self) -> list[str]:
        options = ("listen_addresses=", "unix_socket_permissions=0700", "timezone=UTC", "log_timezone=UTC")
        flags = [flag for option in options for flag in ("-c", option)]
        return [self._program("postgres"), "-D", self._data_path(), "-k", str(self.layout.sockets), *flags]

    def clear_leftovers(self) -> None:
        socket_lock = self.layout.sockets / f"{POSTGRES_SOCKET}.lock"
        self._stop_orphan(socket_lock)
        for file in (self.pid_file, socket_lock):
            pid = processes.read_pid(file)
            if pid is None or not processes.works_in(pid, self.folder):
                file.unlink(missing_ok=True)

    def may_retry(self) -> bool:
        return any(words in processes.last_lines(self.log) for words in PASSING_TROUBLE)

    def _stop_orphan(self, socket_lock: Path) -> None:
        """End a server that still serves our socket although its data folder was deleted under it."""
        pid = processes.read_pid(socket_lock)
        if pid is not None and self.answers() and not processes.works_in(pid, self.folder):
            processes.stop(pid, *self.stop_steps)

    def _create(self) -> None:
        """Make the data folder beside its final place, so that an interrupted attempt leaves none."""
        half = self.folder.with_name("postgres.new")
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(mode=0o700)
        self.layout.account.take(half)
        command = [self._program("initdb"), "-D", self._data_path(half), *INITDB_OPTIONS]
        child = processes.start_detached(
            command, account=self.layout.account, folder=half, log=self.log, keeper=self.layout.keeper
        )
        if child.wait() != 0:
            raise self._failure("could not make its data folder")
        half.rename(self.folder)

    def _data_path(self, folder: Path | None = None) -> str:
        folder = folder or self.folder
        return str(folder) if self.layout.account.reaches(folder) else HERE

    def _ensure_database(self) -> None:
        query = f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"  # noqa: S608 - a constant of ours
        found = self._client("psql", "--dbname=postgres", "-XAtq", "-c", query)
        if found.stdout.strip() == "1":
            return
        made = self._client("psql", "--dbname=postgres", "-Xq", "-c", f"CREATE DATABASE {DATABASE}")
        if made.returncode != 0:
            raise EmbeddedError(f"Postgres could not make the database: {made.stderr.strip()}")

    def _client(self, program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a client program; one that gets no answer in time counts as failed."""
        address = (f"--host={self.layout.sockets}", f"--username={DATABASE_USER}")
        command = [self._program(program), *address, *arguments]
        try:
            return subprocess.run(
                command,
                env=processes.SERVER_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=CLIENT_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, NO_ANSWER, "", f"no answer in {CLIENT_SECONDS:.0f} s")

    def _program(self, name: str) -> str:
        return str(self.programs.postgres_bin / name)
