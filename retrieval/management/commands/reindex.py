"""`manage.py reindex`: a thin door to `retrieval.indexing`. It parses, prints and picks the exit code.

Exits: 0 done, 1 failed, 2 usage, 3 done but documents were skipped (named), 4 locked by another run.
The report goes to stdout, progress and warnings to stderr.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand
from tqdm import tqdm

from plancover_assist.errors import AssistError
from retrieval.errors import ReindexLocked, UnknownTenant
from retrieval.indexing import Progress, ReindexReport, ReindexRequest, reindex

DONE, FAILED, USAGE, SKIPPED, LOCKED = range(5)
_LINES_A_RUN = 10  # plain progress says so often how far it is


class Bar:
    """A moving bar for people at a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: tqdm[Any] | None = None

    def begin(self, total: int, what: str) -> None:
        self._bar = tqdm(total=total, desc=what, file=self._stream, unit="passage")

    def advance(self, steps: int) -> None:
        if self._bar is not None:
            self._bar.update(steps)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Lines:
    """About ten plain lines for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._what, self._total, self._done = "", 0, 0

    def begin(self, total: int, what: str) -> None:
        self._what, self._total, self._done = what, total, 0

    def advance(self, steps: int) -> None:
        before, self._done = self._done, self._done + steps
        stride = max(1, self._total // _LINES_A_RUN)
        if before // stride != self._done // stride or self._done == self._total:
            print(f"reindex: {self._done} of {self._total} {self._what}", file=self._stream)

    def end(self) -> None:
        """The last step has already said so."""


class Command(BaseCommand):
    help = "Bring the search index up to date with the corpus folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", help="only this owner's folder: `public` or a tenant's id")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done, change nothing")
        parser.add_argument("--json", action="store_true", help="print one object instead of sentences")
        parser.add_argument(
            "--write-vectors", action="store_true", help="rewrite the vectors that ship with the corpus"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        request = ReindexRequest(
            corpus=settings.CORPUS_DIR,
            tenant=options["tenant"],
            dry_run=options["dry_run"],
            write_vectors=options["write_vectors"],
        )
        try:
            report = reindex(request, progress=self._progress())
        except AssistError as problem:
            self._print_failure(problem, as_json=options["json"])
            sys.exit(_exit_code(problem))
        self._print_report(report, as_json=options["json"])
        if report.skipped:
            sys.exit(SKIPPED)

    def _progress(self) -> Progress:
        return Bar(sys.stderr) if sys.stderr.isatty() else Lines(sys.stderr)

    def _print_failure(self, problem: AssistError, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"error": {"code": problem.code, "message": problem.message}}))
        self.stderr.write(f"reindex: {problem.message} ({problem.code})")

    def _print_report(self, report: ReindexReport, *, as_json: bool) -> None:
        for skipped in report.skipped:
            self.stderr.write(f"reindex: skipped {skipped.path}: {skipped.message} ({skipped.code})")
        self.stdout.write(json.dumps(asdict(report)) if as_json else _sentences(report))


def _exit_code(problem: AssistError) -> int:
    if isinstance(problem, ReindexLocked):
        return LOCKED
    return USAGE if isinstance(problem, UnknownTenant) else FAILED


def _sentences(report: ReindexReport) -> str:
    change = report.difference
    would = "Would index" if report.dry_run else "Indexed"
    documents = (
        f"{would} {report.documents} documents in {report.chunks} chunks: {len(change.added)} added,"
        f" {len(change.changed)} changed, {len(change.removed)} removed, {len(report.skipped)} skipped."
    )
    vectors = (
        f"Vectors of {report.model_id or 'no encoder'}: {report.vectors_kept} kept,"
        f" {report.vectors_shipped} from the corpus folder, {report.vectors_computed} computed."
    )
    lines = [documents, vectors]
    if not report.dry_run:
        done = f"Generation {report.generation} is live." if report.swapped else "Nothing had changed."
        lines.append(done)
    return "\n".join(lines)
