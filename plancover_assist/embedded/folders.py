"""Makes the folders of a data folder, or says in one sentence why that cannot be.

Only folders made here get their owner and mode set; nothing above the data folder is touched.
"""

import os
import stat
import tempfile
from pathlib import Path

from plancover_assist.embedded.account import Account
from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.layout import Layout


def make_folders(layout: Layout) -> None:
    """Make every folder of `layout` that is missing; raises `EmbeddedError` where nothing can be written."""
    try:
        for folder in (*reversed(layout.root.parents), layout.root, layout.logs, layout.locks):
            _make(folder, layout)
        _probe(layout.root)
        if layout.sockets.parent == layout.short:
            make_short(layout)
        make_private(layout.sockets, layout.account)
        make_private(layout.valkey, layout.account)
    except OSError as error:
        raise EmbeddedError(
            f"The data folder {layout.root} cannot be written ({error.strerror}): "
            "make it writable, or name another folder with DATA_DIR."
        ) from error


def make_short(layout: Layout) -> None:
    """Make the short folder, refusing one that somebody else put there.

    Others may pass through it only where the servers run as another account than ours.
    """
    shared = layout.account.uid != os.geteuid()
    layout.short.mkdir(mode=0o711 if shared else 0o700, exist_ok=True)
    status = layout.short.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise EmbeddedError(
            f"{layout.short} belongs to somebody else: remove it, or choose another DATA_DIR."
        )


def _make(folder: Path, layout: Layout) -> None:
    """Make a folder of the keeper's, through which the servers can pass whatever the umask says."""
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        layout.keeper.take(folder)
        if layout.keeper != layout.account:
            folder.chmod(folder.stat().st_mode | 0o011)


def make_private(folder: Path, account: Account) -> None:
    """Make a folder that only `account` (and root) may enter."""
    folder.mkdir(mode=0o700, exist_ok=True)
    account.take(folder)
    folder.chmod(0o700)


def _probe(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder):
        pass
