"""Reindex against a real Postgres: what is embedded, what is swapped, and what survives a broken file."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from django.db import IntegrityError, connection, connections
from django.test.utils import CaptureQueriesContext

from plancover_assist.embedding.factory import EmbedderUnavailable
from retrieval import services
from retrieval.errors import ReindexLocked, UnknownTenant
from retrieval.indexing import ReindexRequest, reindex
from retrieval.models import Chunk, Document, IndexGeneration, LexemeStatistics
from retrieval.selectors import find_live_generation
from retrieval.tests.papers import WordEmbedder, index, write

pytestmark = pytest.mark.django_db(transaction=True)
BODY = "# Guide\n\n## Rooms\n\nA room is paid.\n\n## Eyes\n\nAn eye is paid."


def begun(statements: Iterable[dict[str, str]]) -> int:
    """How many transactions these statements opened."""
    return sum(statement["sql"].startswith("BEGIN") for statement in statements)


def live() -> IndexGeneration:
    generation = find_live_generation()
    assert generation is not None
    return generation


def texts() -> list[str]:
    return sorted(live().rows.values_list("text", flat=True))


def no_encoder() -> WordEmbedder:
    raise EmbedderUnavailable("none here")


@contextmanager
def another_session() -> Iterator[None]:
    """Hold the reindex lock from a second connection."""
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [services.LOCK_KEY])
        yield
    finally:
        with other.cursor() as cursor:  # closing only returns it to the pool, its lock and all
            cursor.execute("SELECT pg_advisory_unlock(%s)", [services.LOCK_KEY])
        other.close()


class TestReindex:
    def test_embeds_only_what_changed(self, tmp_path: Path) -> None:
        encoder = WordEmbedder()
        write(tmp_path, "A-1", BODY)
        index(tmp_path, encoder)
        assert len(encoder.embedded) == 2
        write(tmp_path, "A-1", BODY.replace("An eye", "One eye"))
        report = index(tmp_path, encoder)
        assert encoder.embedded[2:] == ["Guide > Eyes\nOne eye is paid."]
        assert (report.vectors_kept, report.vectors_computed) == (1, 1)
        assert report.difference.changed == ("A-1",)

    def test_swaps_a_whole_generation_and_removes_the_old_one(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        first = index(tmp_path).generation
        write(tmp_path, "A-2", BODY.replace("paid", "covered"))
        report = index(tmp_path)
        assert report.swapped
        assert IndexGeneration.objects.get().pk == report.generation != first
        assert set(Chunk.objects.values_list("generation_id", flat=True)) == {report.generation}

    def test_does_nothing_when_nothing_changed(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        first = index(tmp_path)
        second = index(tmp_path)
        assert (second.swapped, second.generation) == (False, first.generation)

    def test_writes_nothing_in_a_dry_run(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        report = index(tmp_path, dry_run=True)
        assert (report.difference.added, report.chunks, report.swapped) == (("A-1",), 2, False)
        assert not IndexGeneration.objects.exists()
        assert not Document.objects.exists()

    def test_forgets_a_document_that_is_gone(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        gone = write(tmp_path, "A-2", "# Other\n\nGone soon.")
        index(tmp_path)
        gone.unlink()
        assert index(tmp_path).difference.removed == ("A-2",)
        assert list(Document.objects.values_list("doc_id", flat=True)) == ["A-1"]

    def test_keeps_the_last_good_version_of_a_broken_document(self, tmp_path: Path) -> None:
        file = write(tmp_path, "A-1", BODY)
        write(tmp_path, "A-2", "# Other\n\nStays.")
        index(tmp_path)
        file.write_bytes(b"\xff broken")
        write(tmp_path, "A-2", "# Other\n\nChanged.")
        report = index(tmp_path)
        assert [(s.path, s.code) for s in report.skipped] == [("public/a-1.md", "not_utf8")]
        assert texts() == ["A room is paid.", "An eye is paid.", "Changed."]

    def test_leaves_other_owners_alone_when_told_a_tenant(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", "# A\n\nOld words.", tenant="ten_a")
        write(tmp_path, "P-1", "# P\n\nOld public words.")
        index(tmp_path)
        write(tmp_path, "A-1", "# A\n\nNew words.", tenant="ten_a")
        write(tmp_path, "P-1", "# P\n\nNew public words.")
        index(tmp_path, tenant="ten_a")
        assert texts() == ["New words.", "Old public words."]

    def test_refuses_an_owner_without_documents(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        with pytest.raises(UnknownTenant):
            index(tmp_path, tenant="ten_x")

    def test_refuses_to_run_beside_another(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        with another_session(), pytest.raises(ReindexLocked):
            index(tmp_path)
        index(tmp_path)

    def test_clears_what_a_killed_run_left(self, tmp_path: Path) -> None:
        IndexGeneration.objects.create()
        write(tmp_path, "A-1", BODY)
        index(tmp_path)
        assert IndexGeneration.objects.get().state == "live"

    def test_clears_away_in_one_transaction(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        index(tmp_path)
        IndexGeneration.objects.create()
        with CaptureQueriesContext(connection) as captured:
            services.remove_leftovers()
        assert begun(captured.captured_queries) == 1

    def test_keeps_the_live_generation_when_the_build_fails(self, tmp_path: Path) -> None:
        class Failing(WordEmbedder):
            def embed_passages(self, texts: Sequence[str]) -> NoReturn:
                raise RuntimeError("out of memory")

        write(tmp_path, "A-1", BODY)
        index(tmp_path)
        write(tmp_path, "A-1", BODY.replace("eye", "tooth"))
        with pytest.raises(RuntimeError):
            index(tmp_path, Failing())
        assert texts() == ["A room is paid.", "An eye is paid."]


class TestVectors:
    def test_come_from_the_corpus_folder_where_they_ship(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        index(tmp_path, write_vectors=True)
        IndexGeneration.objects.all().delete()
        encoder = WordEmbedder()
        report = index(tmp_path, encoder)
        assert (report.vectors_shipped, encoder.embedded) == (2, [])

    def test_are_made_anew_by_another_encoder(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        index(tmp_path, write_vectors=True)
        report = index(tmp_path, WordEmbedder("words@2"))
        assert (report.vectors_kept, report.vectors_shipped, report.vectors_computed) == (0, 0, 2)
        assert set(live().rows.values_list("model_id", flat=True)) == {"words@2"}

    def test_are_missing_but_words_are_indexed_without_an_encoder(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        report = reindex(ReindexRequest(tmp_path), load_embedder=no_encoder)
        assert (report.model_id, report.vectors_computed) == ("", 0)
        assert not live().rows.filter(embedding__isnull=False).exists()
        assert LexemeStatistics.objects.get(lexeme="room").df == 1

    def test_of_unchanged_passages_stay_without_an_encoder(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        index(tmp_path)
        write(tmp_path, "A-1", BODY.replace("An eye", "One eye"))
        reindex(ReindexRequest(tmp_path), load_embedder=no_encoder)
        assert live().rows.filter(embedding__isnull=False).count() == 1
        assert live().model_id == "words@1"


class TestConstraints:
    def test_allow_one_live_generation(self) -> None:
        IndexGeneration.objects.create(state="live")
        with pytest.raises(IntegrityError):
            IndexGeneration.objects.create(state="live")
