"""Plants one fault at a time in a copy of the tree and demands that the suite notices each.

A test that cannot fail is worth nothing; this shows, layer by layer, that ours can. The faults stand in
tests/breaks/catalogue.py. Exits 0 when every one is caught, 1 when one survives or the unbroken copy fails.

    .venv/bin/python scripts/named_breaks.py [--list] [NAME ...]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.breaks.catalogue import BREAKS, Break  # noqa: E402 - the root must be importable first

_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".data*", "__pycache__", ".*_cache", ".hypothesis", "node_modules", "staticfiles"
)
_PASSED, _FAILED = 0, 1  # pytest's exit codes; every other one means that nothing was tested
# Some faults make a test wait for ever, which is a failure too; a minute says so, set-up not counted.
_LIMITS = ("--timeout=60", "-o", "timeout_func_only=true")


def run_tests(tree: Path, data: Path, tests: Sequence[str]) -> int:
    """Run tests of a copied tree against its own data folder and return pytest's exit code."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "--no-header",
        "-p",
        "no:cacheprovider",
        *_LIMITS,
        *tests,
    ]
    # Without byte code on disk an edit within the same second cannot be mistaken for the file before it.
    environment = {**os.environ, "DATA_DIR": str(data), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in {_PASSED, _FAILED}:
        print(done.stdout[-2000:] + done.stderr[-2000:])
    return done.returncode


def caught(broken: Break, tree: Path, data: Path) -> bool:
    """Plant one fault, run the tests that guard its layer, and mend it again."""
    path = tree / broken.path
    whole = path.read_text(encoding="utf-8")
    path.write_text(broken.applied_to(whole), encoding="utf-8")
    try:
        return run_tests(tree, data, broken.guards) == _FAILED
    finally:
        path.write_text(whole, encoding="utf-8")


def check(chosen: Sequence[Break], tree: Path, data: Path) -> int:
    """Run the guards unbroken, then each fault; return the number of faults that survived."""
    guards = sorted({guard for broken in chosen for guard in broken.guards})
    if run_tests(tree, data, guards) != _PASSED:
        print("The guards fail on the unbroken tree, so a failure would prove nothing. Mend them first.")
        return len(chosen)
    survived = 0
    for broken in chosen:
        began = time.monotonic()
        noticed = caught(broken, tree, data)
        survived += not noticed
        verdict = "caught  " if noticed else "SURVIVED"
        print(f"{verdict} {broken.layer:<12} {broken.name} ({time.monotonic() - began:.1f} s)", flush=True)
    return survived


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line: `names` (all when empty) and `list`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these faults")
    parser.add_argument("--list", action="store_true", help="name the faults and stop")
    return parser.parse_args(arguments)


def main() -> int:
    """Copy the tree, plant each chosen fault, and say which were caught."""
    options = parse()
    chosen = [broken for broken in BREAKS if not options.names or broken.name in options.names]
    if options.list or not chosen:
        print("\n".join(f"{broken.layer:<12} {broken.name}" for broken in BREAKS))
        return 0 if options.list else 1
    with tempfile.TemporaryDirectory(prefix="breaks-") as folder:
        tree = Path(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=_LEFT_OUT)
        survived = check(chosen, tree, Path(folder, "data"))
    print(f"{len(chosen) - survived} of {len(chosen)} faults caught.")
    return min(survived, 1)


if __name__ == "__main__":
    sys.exit(main())
