"""Where everything of one data folder lies, and the addresses of its servers.

A pure description: computing it touches no server and creates nothing. The same folder gives the same
addresses in every process, so whoever joins running servers finds them without being told.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from plancover_assist.embedded.account import Account, keeper_account, server_account

DATABASE = "plancover"
DATABASE_USER = "plancover"
POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
# A unix socket's path may have 107 bytes on Linux (103 on macOS), whatever the file system allows.
LONGEST_SOCKET_PATH = 103
SHORT_ROOT = Path("/tmp")  # noqa: S108 - a private folder is made in it and its owner is checked; $TMPDIR differs by process


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Addresses of the embedded servers, in the forms that libpq and redis-py read."""

    database_url: str
    redis_url: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of one data folder and the account that owns the servers' part of them.

    Attributes:
        root: the data folder, absolute.
        short: a folder with a short path, used where sockets or programs cannot lie in their usual place.
        account: who runs the servers.
        keeper: who owns logs, locks and the data folder itself.
        sockets: the private folder of both sockets.
    """

    root: Path
    short: Path
    account: Account
    keeper: Account
    sockets: Path

    @classmethod
    def of(cls, data_dir: Path) -> "Layout":
        """Describe `data_dir`, which need not exist."""
        root = data_dir.resolve()
        account = server_account(root)
        short = SHORT_ROOT / f"plancover-{hashlib.sha256(os.fsencode(root)).hexdigest()[:12]}"
        usual = root / "run"
        fits = len(os.fsencode(usual / POSTGRES_SOCKET)) <= LONGEST_SOCKET_PATH and account.reaches(usual)
        return cls(
            root=root,
            short=short,
            account=account,
            keeper=keeper_account(root),
            sockets=usual if fits else short / "run",
        )

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def locks(self) -> Path:
        return self.root / "locks"

    @property
    def endpoints(self) -> Endpoints:
        """Addresses of the two servers; they answer only while somebody holds the folder."""
        return Endpoints(
            database_url=f"postgresql://{DATABASE_USER}@/{DATABASE}?host={quote(str(self.sockets), safe='')}",
            redis_url=f"unix://{quote(str(self.sockets / VALKEY_SOCKET))}",
        )


def endpoints(data_dir: Path) -> Endpoints:
    """Addresses of the embedded servers of `data_dir`, whether or not they run."""
    return Layout.of(data_dir).endpoints
