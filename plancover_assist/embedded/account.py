"""Which account the embedded servers run as, and which one keeps the rest of the data folder.

Postgres refuses to run as root, so root hands the servers to an unprivileged account that already exists.
What that account can write, root opens without following links: nobody may lead root to a file elsewhere.
This module creates no account and changes no mode of a folder that it did not make.
"""

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from plancover_assist.embedded.errors import EmbeddedError

# In order of preference; both exist on ordinary systems, neither can sign in.
UNPRIVILEGED = ("postgres", "nobody")
# Not blocking: a planted pipe would keep us waiting for its other end.
_OWN_FILE = os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Credentials(TypedDict, total=False):
    """The keyword arguments of `subprocess.Popen` that switch to an account; empty for one's own."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """A user and its main group, by number."""

    uid: int
    gid: int

    def credentials(self) -> Credentials:
        """What a child process needs to run as this account."""
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def take(self, path: Path) -> None:
        """Give the folder `path`, made by us, to the account when we are root; `OSError` for a link."""
        if os.geteuid() != 0:
            return
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            self._own(descriptor)
        finally:
            os.close(descriptor)

    def open(self, path: Path, flags: int) -> int:
        """Open the file `path` of the account, making it where it is missing; the caller closes it.

        Raises `EmbeddedError` for a link and for anything else that is no plain file.
        """
        try:
            descriptor = os.open(path, flags | _OWN_FILE, 0o600)
        except OSError as error:
            raise EmbeddedError(f"{path} cannot be opened ({error.strerror}): remove it.") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise EmbeddedError(f"{path} is no plain file: remove it.")
        self._own(descriptor)
        return descriptor

    def _own(self, descriptor: int) -> None:
        if os.geteuid() == 0 and os.fstat(descriptor).st_uid != self.uid:
            os.fchown(descriptor, self.uid, self.gid)

    def reaches(self, path: Path) -> bool:
        """Whether the account may pass through every folder above `path` (links in `path` resolved)."""
        return all(self._may_enter(folder) for folder in path.resolve().parents)

    def _may_enter(self, folder: Path) -> bool:
        try:
            status = folder.stat()
        except OSError:
            return True  # not there yet, or something that making it will complain about
        if self.uid in (0, status.st_uid):
            return self.uid == 0 or bool(status.st_mode & stat.S_IXUSR)
        allowed = stat.S_IXGRP if self.gid == status.st_gid else stat.S_IXOTH
        return bool(status.st_mode & allowed)


def server_account(data_dir: Path) -> Account:
    """The account for the servers of `data_dir`.

    Anybody but root: oneself. Root: whoever owns the database that is there already, else the owner of the
    nearest folder above it that exists, so that files in somebody's checkout stay theirs; where that is
    root too, an unprivileged system account. Raises `EmbeddedError` when there is none.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    owner = _nearest_existing(data_dir / "postgres").stat()
    if owner.st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    return _unprivileged()


def keeper_account(data_dir: Path) -> Account:
    """The account for everything in `data_dir` but the servers' own folders: logs, locks, the folder itself.

    Anybody but root: oneself. Root: the owner of the nearest folder above that exists, which is root where
    the checkout is root's own. The servers' account can then put nothing in the way of what root opens.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    owner = _nearest_existing(data_dir).stat()
    return Account(owner.st_uid, owner.st_gid)


def _nearest_existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())


def _unprivileged() -> Account:
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise EmbeddedError(
        "Postgres refuses to run as root, and this machine has no unprivileged account to run it as: "
        "use an ordinary user."
    )
