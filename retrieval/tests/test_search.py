"""The whole search against a real Postgres, with a small encoder in place of the large one."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NoReturn

import pytest
from django.conf import LazySettings
from django.db import connection
from pytest_django import DjangoAssertNumQueries
from rank_bm25 import BM25Okapi

from plancover_assist.embedding.factory import EmbedderUnavailable
from plancover_assist.errors import ForeignRow
from plancover_assist.identity.context import TenantScope
from retrieval import lexical, selectors
from retrieval.candidates import Hit
from retrieval.lexical import inverse_document_frequency
from retrieval.questions import analyse
from retrieval.search import Legs, find_keyword_matches, search
from retrieval.selectors import View
from retrieval.tests.papers import IN_FORCE, WordEmbedder, index, write
from retrieval.types import SearchQuery, SearchResult, Tier, Verdict

pytestmark = pytest.mark.django_db(transaction=True)
ENCODER = WordEmbedder()
LEGS = Legs(embed=lambda text, _model_id: ENCODER.embed_query(text), is_foreign=lambda _word: True)


def broken(*_args: object) -> NoReturn:
    raise RuntimeError("this leg is down")


async def ask(text: str, tenant: str | None = None, on: date = IN_FORCE, legs: Legs = LEGS) -> SearchResult:
    return await search(SearchQuery(text, TenantScope(tenant), on, "en"), legs=legs)


def doc_ids(result: SearchResult) -> list[str]:
    return [evidence.doc_id for evidence in result.evidence]


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    policy = {"doc_type": "schedule", "clause_numbering": "true"}
    schedule = "# Schedule\n\n## 4 Limits\n\n### 4.7 Cataract\n\nThe cataract limit is {} for each eye."
    write(tmp_path, "A-SCHED", schedule.format("₹35,000 canaryalpha"), tenant="ten_a", **policy)
    write(tmp_path, "B-SCHED", schedule.format("₹25,000 canarybeta"), tenant="ten_b", **policy)
    endorsement = (
        "# Endorsement\n\n## 1 Change\n\n### 1.1 Cataract limit\n\nThe cataract limit is ₹40,000 an eye."
    )
    change = {"doc_type": "endorsement", "effective_from": "2026-09-01", "amends": '["A-SCHED 4.7"]'}
    write(tmp_path, "A-END", endorsement, tenant="ten_a", **(policy | change))
    write(tmp_path, "GUIDE", "# Guide\n\n## Cataract\n\nCataract surgery is day care in each eye.")
    write(tmp_path, "OLD", "# Leaflet\n\n## Ombudsman\n\nThe ombudsman decides up to ₹30 lakh.")
    write(
        tmp_path, "NEW", "# Guide\n\n## Ombudsman\n\nThe ombudsman decides up to ₹50 lakh.", supersedes="OLD"
    )
    index(tmp_path, ENCODER)
    return tmp_path


@pytest.fixture
def broken_tables(papers: Path) -> Iterator[None]:
    """Take the table of generations away for a while."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE retrieval_indexgeneration RENAME TO elsewhere")
    yield
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE elsewhere RENAME TO retrieval_indexgeneration")


@pytest.mark.usefixtures("papers")
class TestScope:
    async def test_shows_each_tenant_its_own_paper(self) -> None:
        assert doc_ids(await ask("cataract limit for each eye", "ten_b"))[0] == "B-SCHED"
        assert doc_ids(await ask("cataract limit for each eye", "ten_a"))[0] == "A-END"

    async def test_shows_visitors_public_papers_only(self) -> None:
        assert set(doc_ids(await ask("cataract limit for each eye"))) <= {"GUIDE", "NEW"}

    @pytest.mark.parametrize(("tenant", "canary"), [("ten_b", "canaryalpha"), ("ten_a", "canarybeta")])
    async def test_never_finds_another_tenants_words(self, tenant: str, canary: str) -> None:
        result = await ask(f"cataract limit {canary}", tenant)
        assert all(canary not in evidence.text for evidence in result.evidence)
        assert all(evidence.owner in {tenant, "public"} for evidence in result.evidence)

    async def test_raises_for_a_row_outside_the_scope(self) -> None:
        legs = replace(LEGS, vector=lambda *_: [Hit(1, "ten_b", 0.9)])
        with pytest.raises(ForeignRow):
            await ask("cataract", "ten_a", legs=legs)


@pytest.mark.usefixtures("papers")
class TestValidity:
    async def test_takes_the_amended_clause_up_to_the_eve_of_the_endorsement(self) -> None:
        result = await ask("cataract limit for each eye", "ten_a", date(2026, 8, 31))
        assert "₹35,000" in result.evidence[0].text
        assert "A-END" not in doc_ids(result)

    async def test_takes_the_endorsement_from_its_first_day(self) -> None:
        result = await ask("cataract limit for each eye", "ten_a", date(2026, 9, 1))
        assert "₹40,000" in result.evidence[0].text
        assert "A-SCHED" not in doc_ids(result)

    async def test_leaves_out_a_superseded_paper(self) -> None:
        assert "OLD" not in doc_ids(await ask("ombudsman decides lakh"))
        assert doc_ids(await ask("ombudsman decides lakh", on=date(2026, 3, 31))) == []


@pytest.mark.usefixtures("papers")
class TestDegradation:
    async def test_uses_the_other_leg_when_one_fails(self) -> None:
        without_vectors, without_words = replace(LEGS, vector=broken), replace(LEGS, keyword=broken)
        for legs, gone, tier in (
            (without_vectors, "vector", Tier.KEYWORD_ONLY),
            (without_words, "keyword", Tier.VECTOR_ONLY),
        ):
            result = await ask("cataract limit for each eye", "ten_b", legs=legs)
            assert (result.degraded_legs, result.tier) == ((gone,), tier)
            assert doc_ids(result)[0] == "B-SCHED"

    async def test_gives_no_results_when_both_fail(self) -> None:
        result = await ask("cataract", "ten_b", legs=replace(LEGS, vector=broken, keyword=broken))
        assert result.gate.verdict is Verdict.NO_RESULTS
        assert (result.evidence, result.degraded_legs) == ((), ("vector", "keyword"))

    async def test_gives_no_results_when_the_index_cannot_be_read(self, broken_tables: None) -> None:
        result = await ask("cataract", "ten_b")
        assert result.gate.verdict is Verdict.NO_RESULTS
        assert result.degraded_legs == ("vector", "keyword")

    async def test_gives_up_a_slow_leg(self) -> None:
        def slow(*_args: object) -> list[Hit]:
            time.sleep(1.5)
            return []

        result = await ask("cataract limit", "ten_b", legs=replace(LEGS, vector=slow, timeout=0.5))
        assert result.degraded_legs == ("vector",)

    async def test_answers_by_keyword_without_an_encoder(self) -> None:
        def no_encoder(*_args: object) -> NoReturn:
            raise EmbedderUnavailable

        result = await ask("cataract limit for each eye", "ten_b", legs=replace(LEGS, embed=no_encoder))
        assert (result.tier, result.gate.verdict) == (Tier.KEYWORD_ONLY, Verdict.PASSED)

    async def test_gives_no_results_for_a_scope_without_papers_in_force(self) -> None:
        result = await ask("cataract", on=date(2020, 1, 1))
        assert result.gate.verdict is Verdict.NO_RESULTS


class TestSubject:
    """The encoder is told to place the question well, so that only its words can speak against it."""

    NEAR = replace(LEGS, embed=lambda *_: ENCODER.embed_query("Schedule Limits Cataract limit for each eye"))

    async def test_abstains_when_no_source_knows_the_subject(self, papers: Path) -> None:
        result = await ask("cataract limit for each eye of a kangaroo", "ten_b", legs=self.NEAR)
        assert result.gate.verdict is Verdict.NOT_COVERED_BY_SOURCES

    async def test_trusts_an_unknown_word_of_the_same_world(self, papers: Path) -> None:
        legs = replace(self.NEAR, is_foreign=lambda _word: False)
        result = await ask("cataract limit for each eye with glaucoma", "ten_b", legs=legs)
        assert result.gate.verdict is Verdict.PASSED

    async def test_gives_no_results_before_the_first_index(self) -> None:
        assert (await ask("cataract")).gate.verdict is Verdict.NO_RESULTS


WORDS = "cataract limit eye room rent claim paper days hospital cashless insurer ward clause family".split()


def sentence(seed: int) -> str:
    picks = [WORDS[(seed * step + step) % len(WORDS)] for step in range(2, 3 + seed % 9)]
    return " ".join([*picks, f"unique{seed}"])


@pytest.fixture
def many(tmp_path: Path) -> View:
    for number in range(120):
        write(tmp_path, f"D-{number}", f"# T\n\n{sentence(number)}")
    report = index(tmp_path, ENCODER)
    assert report.generation is not None
    return View(report.generation, TenantScope(), IN_FORCE)


class TestScopeFacts:
    def test_are_read_once_and_kept_for_as_many_scopes_as_the_setting_says(
        self, many: View, settings: LazySettings, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        settings.SCOPE_FACTS_KEPT = 2
        with django_assert_num_queries(4):
            for scope in (many.scope, TenantScope("ten_a"), many.scope, TenantScope("ten_a")):
                selectors.get_scope_facts(many.generation_id, scope)
        settings.SCOPE_FACTS_KEPT = 1
        with django_assert_num_queries(2):
            selectors.get_scope_facts(many.generation_id, TenantScope("ten_a"))
            selectors.get_scope_facts(many.generation_id, many.scope)


class TestLegs:
    @pytest.mark.parametrize("text", ["cataract limit eye", "claim paper", "family ward unique7"])
    def test_keyword_leg_ranks_as_exact_bm25(self, many: View, text: str) -> None:
        facts = selectors.get_scope_facts(many.generation_id, many.scope)
        query, hits = find_keyword_matches(many, analyse(text, facts.vocabulary), facts)
        documents = [lexical.lexemes_of(f"T\n{sentence(number)}") for number in range(120)]
        oracle = BM25Okapi(documents, k1=lexical.K1, b=lexical.B)
        for term in query.terms:
            oracle.idf[term.lexeme] = inverse_document_frequency(120, term.df)
        scores = sorted(oracle.get_scores([term.lexeme for term in query.terms]) / (lexical.K1 + 1))[::-1]
        expected = [score for score in scores if score > 0][: len(hits)]
        assert [hit.score for hit in hits] == pytest.approx(expected, abs=1e-4)
        assert len(hits) >= 8

    def test_vector_leg_finds_the_exact_nearest(self, many: View) -> None:
        vector = ENCODER.embed_query("cataract limit")
        exact = sorted(
            (float(ENCODER.embed_query(f"T\n{sentence(n)}") @ vector) for n in range(120)), reverse=True
        )
        found = [hit.score for hit in selectors.list_nearest(many, vector, limit=20)]
        assert found == pytest.approx(exact[:20], abs=2e-3)

    def test_scores_are_fetched_for_chunks_of_either_leg(self, many: View) -> None:
        facts = selectors.get_scope_facts(many.generation_id, many.scope)
        vector = ENCODER.embed_query("cataract")
        query, hits = find_keyword_matches(many, analyse("cataract", facts.vocabulary), facts)
        near = selectors.list_nearest(many, vector, limit=5)
        ids = [hit.chunk_id for hit in (*hits[:5], *near)]
        scores = {item.chunk_id: item for item in selectors.list_scores(many, ids, vector, query)}
        assert scores[hits[0].chunk_id].coverage == pytest.approx(hits[0].score / query.total_idf)
        assert scores[near[0].chunk_id].cosine == pytest.approx(near[0].score)
