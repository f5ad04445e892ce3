"""A document that cannot be indexed is named by `reindex`; what was good stays, whole, and still answers."""

import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from plancover_assist import db
from retrieval.models import Chunk, IndexGeneration
from retrieval.tests.papers import paper, write
from tests.journeys.support import ask

EYES = "# Eyes\n\n## Cataract\n\nThe cataract limit of this plan is ₹11,000 for each eye."
TEETH = "# Teeth\n\n## Dentist\n\nThe dental limit of this plan is ₹12,000 for each tooth."
KNEES = (
    "# Knees\n\n## Joint replacement\n\nThe joint replacement limit of this plan is ₹13,000 for each knee."
)
QUESTIONS = {
    "What is the cataract limit of this plan for each eye?": "₹11,000",
    "What is the dental limit of this plan for each tooth?": "₹12,000",
    "What is the joint replacement limit of this plan for each knee?": "₹13,000",
}
LONG_CLAUSE = ".".join(["1"] * 20)


def as_folder(file: Path) -> None:
    """Put a folder where the paper was: nothing there can be read as a file."""
    file.unlink()
    file.mkdir()


# What is wrong -> the whole file, or what makes it unreadable; the code that names it follows.
TEXTS: dict[str, tuple[str, str]] = {
    "an unknown key": (paper("EYES", EYES, colour="blue"), "unknown_front_matter_key"),
    "no YAML": ("---\n: [\n---\n" + EYES, "bad_front_matter"),
    "a day no calendar has": (paper("EYES", EYES, effective_from="2026-02-31"), "bad_front_matter"),
    "an hour no clock has": (paper("EYES", EYES, title="0001-01-01 00:00:00+23:00"), "bad_front_matter"),
    "deep nesting": (paper("EYES", EYES, title="[" * 3000 + "]" * 3000), "bad_front_matter"),
    "a word that is no bool": (paper("EYES", EYES, clause_numbering="!!bool maybe"), "bad_front_matter"),
    "a NUL in the body": (paper("EYES", EYES + "\0"), "not_storable"),
    "a NUL in the title": (paper("EYES", EYES, title='"Eyes\\0"'), "bad_front_matter"),
    "a long title": (paper("EYES", EYES, title="e" * 256), "bad_front_matter"),
    "a long insurer": (paper("EYES", EYES, insurer="i" * 121), "bad_front_matter"),
    "a long amendment": (
        paper("EYES", EYES, doc_type="endorsement", amends=f'["{"T" * 60} {LONG_CLAUSE}"]'),
        "bad_front_matter",
    ),
    "a long heading": (paper("EYES", f"# {'Eyes ' * 120}\n\nText."), "not_storable"),
    "a long clause number": (
        paper("EYES", f"# Eyes\n\n## {LONG_CLAUSE} Cataract\n\nText.", clause_numbering="true"),
        "not_storable",
    ),
    "nothing at all": ("", "empty_document"),
}
BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    **{
        name: (partial(Path.write_text, data=text, encoding="utf-8"), code)
        for name, (text, code) in TEXTS.items()
    },
    "another encoding": (lambda file: file.write_bytes(paper("EYES", EYES).encode("utf-16")), "not_utf8"),
    "a folder in its place": (as_folder, "unreadable_file"),
}


@pytest.fixture
def corpus(people: None, tmp_path: Path, settings: LazySettings) -> Path:
    """A small corpus of public papers, indexed."""
    settings.CORPUS_DIR = tmp_path
    for doc_id, body in (("EYES", EYES), ("TEETH", TEETH), ("KNEES", KNEES)):
        write(tmp_path, doc_id, body)
    assert run_reindex()[0] == 0
    return tmp_path


def run_reindex() -> tuple[int, dict[str, Any], str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("reindex", "--json", stdout=out, stderr=err)
    except SystemExit as end:
        return int(str(end.code)), json.loads(out.getvalue()), err.getvalue()
    return 0, json.loads(out.getvalue()), err.getvalue()


def only_whole_generations() -> bool:
    """Tell whether the index is one live generation and nothing beside it."""
    generation = IndexGeneration.objects.get()
    chunks = Chunk.objects.values_list("generation_id", flat=True)
    return generation.state == "live" and list(chunks) == [generation.pk] * generation.chunks


@pytest.mark.usefixtures("engine")
class TestABrokenDocument:
    @pytest.mark.parametrize("fault", BREAKS)
    async def test_is_named_and_its_last_good_version_still_answers(self, fault: str, corpus: Path) -> None:
        break_it, code = BREAKS[fault]
        break_it(corpus / "public" / "eyes.md")
        exit_code, report, told = await db.call(run_reindex)
        assert exit_code == 3
        assert code in told
        assert code in {skipped["code"] for skipped in report["skipped"]}
        await self.check_answers()

    async def test_beside_a_good_change_does_not_hold_that_back(self, corpus: Path) -> None:
        (corpus / "public" / "eyes.md").write_bytes(b"\xff\xfe")
        write(corpus, "KNEES", KNEES.replace("₹13,000", "₹14,000"))
        exit_code, report, _ = await db.call(run_reindex)
        assert (exit_code, report["difference"]["changed"]) == (3, ["KNEES"])
        answered = await ask("", list(QUESTIONS)[2])
        assert "₹14,000" in answered.final.answer
        assert await db.call(only_whole_generations)

    async def test_is_taken_again_once_it_is_mended(self, corpus: Path) -> None:
        (corpus / "public" / "eyes.md").write_bytes(b"\xff\xfe")
        await db.call(run_reindex)
        write(corpus, "EYES", EYES.replace("₹11,000", "₹15,000"))
        exit_code, report, _ = await db.call(run_reindex)
        assert (exit_code, report["skipped"]) == (0, [])
        assert "₹15,000" in (await ask("", next(iter(QUESTIONS)))).final.answer

    @pytest.mark.parametrize("path", ["public/aaa.md", "public/eyes.md", "public/zzz.md"])
    async def test_that_takes_anothers_id_is_named_and_replaces_nothing(
        self, path: str, corpus: Path
    ) -> None:
        (corpus / path).write_text(paper("TEETH", "# Teeth\n\nNo tooth is paid for."), "utf-8")
        exit_code, report, _ = await db.call(run_reindex)
        assert exit_code == 3
        assert "duplicate_doc_id" in {skipped["code"] for skipped in report["skipped"]}
        await self.check_answers()

    @staticmethod
    async def check_answers() -> None:
        for text, figure in QUESTIONS.items():
            assert figure in (await ask("", text)).final.answer
        assert await db.call(only_whole_generations)
