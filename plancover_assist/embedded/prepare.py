"""Make a data folder ready for use: tables, the demo's people, the index.

`make run` does it at every start, a management command only on a folder where it has not been done yet or
where a newer program brought new tables. Django is imported inside the functions, since it is configured
by then; standard output stays free for the caller.
"""

import hashlib
import os
import sys
from contextlib import closing
from pathlib import Path

from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.layout import Layout
from plancover_assist.embedded.locks import FileLock
from plancover_assist.errors import Misconfigured
from plancover_assist.settings.soundness import require_sound_settings

# Exit codes of reindex that still leave a usable index: some documents skipped, another run at work.
USABLE_INDEX = frozenset({0, 3, 4})


def prepare(project: Path, data_dir: Path, *, only_if_needed: bool) -> None:
    """Migrate, seed and index; `project` is the folder of manage.py. Raises `EmbeddedError` on failure."""
    layout = Layout.of(data_dir)
    with closing(FileLock(layout.locks / "prepare", layout.keeper)) as lock, lock.alone():
        if only_if_needed and _is_prepared(project, layout):
            return
        prepare_database()
        _mark(project, layout)


def prepare_database() -> None:
    """Migrate, seed the demo where there is one, and bring the index up to date, in this process.

    Raises `Misconfigured` for settings without sense, before anything is touched.
    """
    from django.conf import settings
    from django.core.management import call_command

    require_sound_settings()
    call_command("migrate", interactive=False, verbosity=0, stdout=sys.stderr)
    if settings.DEMO:
        call_command("seed_demo", stdout=sys.stderr)
    call_command("clearsessions", stdout=sys.stderr)
    try:
        call_command("reindex", stdout=sys.stderr)
    except SystemExit as end:
        if end.code not in USABLE_INDEX:
            raise EmbeddedError("The index could not be built; the lines above say why.") from end


def is_prepared(project: Path, data_dir: Path) -> bool:
    """Whether `prepare` finished on this folder with the migrations that the program has now."""
    return _is_prepared(project, Layout.of(data_dir))


def _is_prepared(project: Path, layout: Layout) -> bool:
    mark = _mark_file(layout)
    return mark.exists() and mark.read_text() == _fingerprint(project)


def _mark(project: Path, layout: Layout) -> None:
    with os.fdopen(layout.keeper.open(_mark_file(layout), os.O_WRONLY | os.O_TRUNC), "w") as file:
        file.write(_fingerprint(project))


def _mark_file(layout: Layout) -> Path:
    return layout.root / "prepared"


def _fingerprint(project: Path) -> str:
    """A digest of the names of all migrations: it changes when a newer program brings new tables."""
    found = [*project.glob("*/migrations/[0-9]*.py"), *project.glob("*/*/migrations/[0-9]*.py")]
    names = sorted(str(path.relative_to(project)) for path in found)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def main() -> int:
    """Prepare the folder that the settings name; what `make run` starts as a process of its own."""
    import django
    from django.conf import settings

    django.setup()
    try:
        if settings.EMBEDDED:
            prepare(settings.BASE_DIR, settings.DATA_DIR, only_if_needed=False)
        else:
            prepare_database()
    except Misconfigured as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
