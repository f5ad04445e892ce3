#!/usr/bin/env python
"""Django's command line. Commands that read the database find it running, whoever has to start it."""

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from plancover_assist.errors import AssistError

ROOT = Path(__file__).resolve().parent
# Commands of Django that read or change the database; every command of our own does unless listed below.
DJANGO_WITH_DATABASE = frozenset(
    "changepassword clearsessions createsuperuser dbshell dumpdata flush inspectdb loaddata migrate "
    "remove_stale_contenttypes runserver shell showmigrations sqlflush sqlmigrate sqlsequencereset".split()
)
OWN_WITHOUT_DATABASE = frozenset({"export_openapi", "tools"})
# These are how a folder gets prepared, so they do not ask for it first.
PREPARING = frozenset({"flush", "migrate", "showmigrations", "sqlmigrate"})


def needs_database(arguments: list[str]) -> bool:
    """Whether the command line names a command that reads the database, and does not only ask for help."""
    if not arguments or {"-h", "--help", "--version"} & set(arguments):
        return False
    command = arguments[0]
    ours = any(ROOT.glob(f"*/management/commands/{command}.py")) or any(
        ROOT.glob(f"*/*/management/commands/{command}.py")
    )
    return command in DJANGO_WITH_DATABASE or (ours and command not in OWN_WITHOUT_DATABASE)


@contextmanager
def database_for(command: str) -> Iterator[None]:
    """Hold the embedded servers while the command runs, ready for use; a named database is left alone."""
    from django.conf import settings

    if not settings.EMBEDDED:
        yield
        return
    from plancover_assist import embedded
    from plancover_assist.embedded.prepare import is_prepared, prepare

    with embedded.hold(settings.DATA_DIR):
        if command not in PREPARING and not is_prepared(ROOT, settings.DATA_DIR):
            import django

            django.setup()
            prepare(ROOT, settings.DATA_DIR, only_if_needed=True)
        yield


def end(number: int, _frame: FrameType | None) -> None:
    """Leave by way of the open blocks, so that the last one out stops the servers."""
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plancover_assist.settings.base")
    signal.signal(signal.SIGTERM, end)
    from django.core.management import execute_from_command_line

    if not needs_database(sys.argv[1:]):
        # makemigrations would like to look into a database; that it finds none is no news here.
        warnings.filterwarnings("ignore", "Got an error checking a consistent migration history")
        os.environ.setdefault("DB_POOL", "no")  # a pool would keep trying for seconds
        execute_from_command_line(sys.argv)
        return
    try:
        with database_for(sys.argv[1]):
            execute_from_command_line(sys.argv)
    except AssistError as error:
        sys.exit(f"{error.message}")


if __name__ == "__main__":
    main()
