"""A document that cannot be indexed is named by `reindex`; what was good stays, whole, and still answers."""

import io
import json
from collections.abc import Callable
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
BREAKS: dict[str, Callable[[Path], object]] = {
    "unknown_front_matter_key": lambda file: file.write_text(paper("EYES", EYES, colour="blue"), "utf-8"),
    "not_utf8": lambda file: file.write_bytes(paper("EYES", EYES).encode("utf-16")),
    "bad_front_matter": lambda file: file.write_text("---\n: [\n---\n" + EYES, "utf-8"),
    "empty_document": lambda file: file.write_bytes(b""),
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
    @pytest.mark.parametrize("code", BREAKS)
    async def test_is_named_and_its_last_good_version_still_answers(self, code: str, corpus: Path) -> None:
        BREAKS[code](corpus / "public" / "eyes.md")
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
