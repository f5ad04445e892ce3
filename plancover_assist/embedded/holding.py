"""Use the embedded servers of a data folder for as long as a block runs.

The first to come starts them, everybody else joins, the last one out stops them. Starting and stopping
happen under one lock, so two first starts cannot collide and nobody joins a server that is being stopped.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from plancover_assist.embedded.folders import make_folders
from plancover_assist.embedded.layout import Endpoints, Layout
from plancover_assist.embedded.locks import FileLock
from plancover_assist.embedded.postgres import Postgres
from plancover_assist.embedded.programs import find_programs
from plancover_assist.embedded.server import Server
from plancover_assist.embedded.valkey import Valkey


@dataclass(frozen=True, slots=True)
class Held:
    """What a holder gets: the addresses, the folders and the servers themselves."""

    endpoints: Endpoints
    layout: Layout
    servers: tuple[Server, ...]


@contextmanager
def hold_servers(data_dir: Path) -> Iterator[Held]:
    """Hold the servers of `data_dir`; raises `EmbeddedError` with one clear sentence when they cannot run."""
    layout = Layout.of(data_dir)
    make_folders(layout)
    programs = find_programs(layout)
    servers = (Postgres(layout, programs), Valkey(layout, programs))
    with ExitStack() as stack:
        gate = stack.enter_context(closing(FileLock(layout.locks / "gate", layout.keeper)))
        users = stack.enter_context(closing(FileLock(layout.locks / "users", layout.keeper)))
        stack.callback(_leave, layout, gate, users, servers)
        with gate.alone():
            users.share()
            for server in servers:
                server.ensure()
        yield Held(endpoints=layout.endpoints, layout=layout, servers=servers)


@contextmanager
def hold(data_dir: Path) -> Iterator[Endpoints]:
    """Hold the servers of `data_dir` and get their addresses."""
    with hold_servers(data_dir) as held:
        yield held.endpoints


def _leave(layout: Layout, gate: FileLock, users: FileLock, servers: Sequence[Server]) -> None:
    with gate.alone():
        if not users.try_alone():
            return
        for server in reversed(servers):
            server.stop()
        shutil.rmtree(layout.short, ignore_errors=True)
