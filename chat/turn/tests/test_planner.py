"""Plans by rules: kind, record parts, the standalone question, the day asked about."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from chat.turn.lexicon import load_toml
from chat.turn.planner import plan_by_rules, standalone
from chat.turn.sentences import keys
from chat.turn.state import Kind, Plan, Utterance

TODAY = date(2026, 11, 30)
_OWN = Path(__file__).parent / "sets" / "plan_own.jsonl"
_WORDS = Path(__file__).parents[1] / "plan_words.toml"
_ROUTE = {Kind.KNOWLEDGE: "general"}  # the cases' word for it
CASES: list[dict[str, Any]] = [json.loads(line) for line in _OWN.read_text(encoding="utf-8").splitlines()]


def plan(text: str, *said: str, signed_in: bool = True) -> Plan:
    """Plan a message; `said` are earlier utterances, the member's first, in turns."""
    history = [
        Utterance(role="assistant" if place % 2 else "user", content=content)
        for place, content in enumerate(said)
    ]
    return plan_by_rules(text, lang="en", history=history, today=TODAY, signed_in=signed_in)


class TestKind:
    @pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
    def test_is_one_that_fits_the_question(self, case: dict[str, Any]) -> None:
        kind = plan(case["text"]).kind
        assert _ROUTE.get(kind, kind.value) in [case["route"], *case["route_also"]]

    @pytest.mark.parametrize(
        "text",
        [
            "what will the premium be next year",
            "what is the premium per employee",
            "which hospital has good doctors",
            "claim settlement ratio of the insurer",
            "अगले साल शर्तें क्या होंगी",
            "insurer ka settlement ratio kitna hai",
        ],
    )
    def test_puts_what_no_paper_can_hold_out_of_scope(self, text: str) -> None:
        planned = plan(text)
        assert (planned.kind, planned.subject, planned.searches) == (Kind.OUT_OF_SCOPE, "uncovered", ())

    @pytest.mark.parametrize(
        "text",
        [
            "is the parents premium paid from my salary",
            "best way to file a claim",
            "can I carry unused OPD to next year",
            "GST on premium",
            "hospital room charges limit",
            "terms for 2028",
        ],
    )
    def test_searches_for_what_a_paper_may_hold(self, text: str) -> None:
        assert plan(text).searches

    @pytest.mark.parametrize(
        "text", ["hi, is cataract covered", "thanks, and the room rent limit?", "bye bye premium"]
    )
    def test_is_small_talk_only_when_the_whole_message_is(self, text: str) -> None:
        assert plan(text).kind is not Kind.SMALL_TALK

    def test_of_a_bare_i_depends_on_having_a_record(self) -> None:
        text = "i want to know about ombudsmen and i"
        assert plan("are masks something i pay", signed_in=True).kind is Kind.MIXED
        assert plan("are masks something i pay", signed_in=False).kind is Kind.KNOWLEDGE
        assert plan(text, signed_in=False).kind is Kind.KNOWLEDGE

    def test_of_how_to_do_something_is_a_question_not_an_action(self) -> None:
        assert plan("add my newborn to the policy").kind is Kind.ACTION
        assert plan("how do i add my newborn to the policy").kind is Kind.MIXED


class TestSubject:
    @pytest.mark.parametrize(
        ("text", "subject"),
        [
            ("hello", "greeting"),
            ("thank you so much", "thanks"),
            ("ok bye", "bye"),
            ("who are you?", "who"),
            ("which antibiotic should i take", "medical"),
            ("show my colleague's claim", "other_person"),
            ("best mutual fund?", "other_product"),
            ("who won the cricket match", "general"),
        ],
    )
    def test_names_a_sentence_that_exists(self, text: str, subject: str) -> None:
        found = plan(text)
        assert found.subject == subject
        assert f"{found.kind}.{subject}" in keys()
        assert found.searches == ()


class TestRecordParts:
    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("is my ecard ready", "ecards"),
            ("mera utr kya hai", "payments"),
            ("why was my claim rejected", "rejection"),
            ("हमारा कितना बचा है", "balance"),
            ("which documents are missing in my claim", "documents"),
        ],
    )
    def test_are_named_where_evident(self, text: str, part: str) -> None:
        assert part in plan(text).record_parts

    def test_are_empty_for_general_questions(self) -> None:
        assert plan("what is a claim").record_parts == ()


class TestStandalone:
    @pytest.mark.parametrize(
        "text", ["and for parents?", "मतलब?", "why", "aur agar late ho gaya to?", "is it covered"]
    )
    def test_joins_a_short_follow_up_with_the_last_question(self, text: str) -> None:
        history = [
            Utterance(role="user", content="cataract limit"),
            Utterance(role="assistant", content="Per eye."),
        ]
        assert standalone(text, history) == f"cataract limit {text}"

    @pytest.mark.parametrize("text", ["what is a floater", "room rent limit?", "thanks"])
    def test_leaves_a_question_of_its_own(self, text: str) -> None:
        assert standalone(text, [Utterance(role="user", content="cataract limit")]) == text

    def test_leaves_a_first_question(self) -> None:
        assert standalone("and for parents?", []) == "and for parents?"

    def test_is_what_is_searched(self) -> None:
        assert plan("and for parents?", "cataract limit", "Per eye.").searches == (
            "cataract limit and for parents?",
        )


class TestAskedOn:
    def test_is_the_day_the_question_names(self) -> None:
        assert plan("cataract limit on 31 August 2026").asked_on == "2026-08-31"

    def test_is_today_otherwise(self) -> None:
        assert plan("cataract limit").asked_on == TODAY.isoformat()


class TestTheWordLists:
    def test_define_every_concept_a_pattern_names(self) -> None:
        data: Any = load_toml(_WORDS)
        named = {
            concept
            for rows in data["patterns"].values()
            for parts, _ in rows
            for part in parts.split()
            for concept in part.split("|")
        }
        assert named <= set(data["concepts"])

    def test_name_the_parts_of_the_record_as_the_contract_does(self) -> None:
        data: Any = load_toml(_WORDS)
        parts = {
            concept.removeprefix("record.") for concept in data["concepts"] if concept.startswith("record.")
        }
        assert parts == set(
            "policy coverage balance waiting_periods dependants ecards network claims rejection documents"
            " queries settlement payments requests contacts profile".split()
        )
