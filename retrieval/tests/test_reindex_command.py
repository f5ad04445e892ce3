"""The exit codes and the words of `manage.py reindex`."""

import io
import json
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from retrieval.management.commands.reindex import Lines
from retrieval.selectors import find_live_generation
from retrieval.tests.papers import write
from retrieval.tests.test_indexing import another_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def corpus(tmp_path: Path, settings: LazySettings) -> Path:
    settings.CORPUS_DIR = tmp_path
    settings.EMBEDDER = "none"
    write(tmp_path, "A-1", "# T\n\nSome text.")
    return tmp_path


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("reindex", *arguments, stdout=out, stderr=err)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


class TestExits:
    def test_zero_when_done(self) -> None:
        code, out, _ = run()
        assert code == 0
        assert "Indexed 1 documents in 1 chunks: 1 added" in out

    def test_one_for_a_folder_without_papers_and_keeps_the_live_index(
        self, tmp_path: Path, settings: LazySettings
    ) -> None:
        run()
        live = find_live_generation()
        settings.CORPUS_DIR = tmp_path / "mistyped"

        code, _, err = run()

        assert code == 1
        assert "CORPUS_DIR" in err
        assert find_live_generation() == live

    def test_two_for_an_unknown_tenant(self) -> None:
        code, _, err = run("--tenant", "ten_x")
        assert code == 2
        assert "unknown_tenant" in err

    def test_three_when_documents_were_skipped_and_names_them(self, corpus: Path) -> None:
        (corpus / "public" / "bad.md").write_bytes(b"\xff")
        code, _, err = run()
        assert code == 3
        assert "public/bad.md" in err
        assert "not_utf8" in err

    def test_four_when_another_run_holds_the_lock(self) -> None:
        with another_session():
            code, out, _ = run("--json")
        assert code == 4
        assert json.loads(out)["error"]["code"] == "reindex_locked"

    def test_refuses_an_unknown_option(self) -> None:
        with pytest.raises(CommandError):
            call_command("reindex", "--colour")


class TestJson:
    def test_is_one_object_with_the_counts(self) -> None:
        _, out, _ = run("--json", "--dry-run")
        report = json.loads(out)
        assert (report["documents"], report["dry_run"], report["difference"]["added"]) == (1, True, ["A-1"])


class TestLines:
    def test_say_about_ten_times_how_far_it_is(self) -> None:
        stream = io.StringIO()
        lines = Lines(stream)
        lines.begin(100, "passages embedded")
        for _ in range(50):
            lines.advance(2)
        printed = stream.getvalue().splitlines()
        assert len(printed) == 10
        assert printed[-1] == "reindex: 100 of 100 passages embedded"
