"""The answer prompt: its order, its budgets and its bytes."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from chat.turn.context import build, recent_history, within_budget
from chat.turn.state import Kind, Knowledge, Plan, TurnState, Utterance
from plancover_assist.fencing import parse_fences
from plancover_assist.settings.bounds import Bounds
from retrieval.types import Evidence

BOUNDS = Bounds()


def piece(number: int = 1, text: str = "The cataract limit is ₹40,000 for each eye.") -> Evidence:
    return Evidence(
        chunk_id=number,
        doc_id=f"DOC-{number}",
        title="Endorsement",
        doc_type="endorsement",
        owner="ten_a",
        lang="en",
        clause="1.1",
        heading="New limit",
        text=text,
        effective_from="2026-09-01",
        version="1.0",
        score=0.9,
    )


def asked(*evidence: Evidence, history: tuple[Utterance, ...] = ()) -> TurnState:
    return TurnState(
        question="What is the cataract limit?",
        lang="en",
        history=history,
        plan=Plan(kind=Kind.KNOWLEDGE, asked_on="2026-11-30"),
        knowledge=Knowledge(evidence=evidence),
    )


class TestBuild:
    def test_numbers_sources_from_one_in_the_given_order(self) -> None:
        messages, citations = build(asked(piece(7), piece(3, "Another rule.")), BOUNDS)

        sources = parse_fences(messages[-1].content)[:2]
        assert [s.attributes["doc"] for s in sources] == ["DOC-7", "DOC-3"]
        assert [(c.n, c.doc_id) for c in citations] == [(1, "DOC-7"), (2, "DOC-3")]

    def test_says_whose_paper_a_source_is_without_naming_the_tenant(self) -> None:
        public = piece(2, "A general rule.").model_copy(update={"owner": "public"})

        _, citations = build(asked(piece(1), public), BOUNDS)

        assert [c.owner for c in citations] == ["employer", "public"]

    def test_ends_with_the_fenced_question(self) -> None:
        messages, _ = build(asked(piece()), BOUNDS)

        assert parse_fences(messages[-1].content)[-1].text == "What is the cataract limit?"

    def test_drops_a_piece_with_the_same_words(self) -> None:
        _, citations = build(
            asked(piece(1), piece(2, "The cataract  limit is\n₹40,000 for each eye.")), BOUNDS
        )

        assert [c.doc_id for c in citations] == ["DOC-1"]

    @given(st.lists(st.text(max_size=300), max_size=8), st.text(max_size=200))
    def test_gives_the_same_bytes_for_the_same_state(self, texts: list[str], question: str) -> None:
        evidence = tuple(piece(n, text) for n, text in enumerate(texts))
        state = asked(*evidence).model_copy(update={"question": question})
        again = TurnState.model_validate_json(state.model_dump_json())

        assert build(state, BOUNDS) == build(again, BOUNDS)


class TestWithinBudget:
    @given(st.lists(st.integers(min_value=1, max_value=3000), max_size=12))
    def test_never_exceeds_pieces_or_characters(self, sizes: list[int]) -> None:
        kept = within_budget([piece(n, f"{n} " + "x" * size) for n, size in enumerate(sizes)], BOUNDS)

        assert len(kept) <= BOUNDS.MAX_EVIDENCE_CHUNKS
        assert sum(len(item.text) for item in kept) <= BOUNDS.MAX_EVIDENCE_CHARS

    def test_cuts_a_first_piece_that_alone_is_too_long(self) -> None:
        small = replace(BOUNDS, MAX_EVIDENCE_CHARS=20)

        (kept,) = within_budget([piece(text="A sentence that goes on for much longer than that.")], small)

        assert 0 < len(kept.text) <= 20


class TestRecentHistory:
    def test_keeps_the_newest_whole_utterances(self) -> None:
        history = tuple(Utterance(role="user", content=f"{n}" * 40) for n in range(9))

        kept = recent_history(history, replace(BOUNDS, MAX_HISTORY_CHARS=100))

        assert [past.content[0] for past in kept] == ["7", "8"]

    def test_keeps_at_most_the_bound_of_turns(self) -> None:
        history = tuple(Utterance(role="user", content=str(n)) for n in range(60))

        assert len(recent_history(history, BOUNDS)) == 2 * BOUNDS.MAX_HISTORY_TURNS
