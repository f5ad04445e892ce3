"""A whole turn through the service every transport uses: real rows, scripted search and model."""

import asyncio
import json

import pytest

from audit.models import TurnTrace
from chat.models import Conversation, Escalation, Message, Turn, TurnStatus, TurnStep
from chat.selectors import owner_of
from chat.turn import engine as engines
from chat.turn import service
from chat.turn.events import Event, Final, Meta, TurnError
from chat.turn.tests.support import (
    QUESTION,
    WORDS,
    ScriptedModel,
    ScriptedSearch,
    ending,
    escalation_of,
    make_engine,
    new_send,
    numbers_of,
    only,
    text_of,
    types_of,
    visitor,
    watch_all,
    weak,
)
from plancover_assist import db
from plancover_assist.errors import DependencyUnavailable, ModelInterrupted, ModelUnavailable
from plancover_assist.identity.context import auth_context
from plancover_assist.identity.tests.factories import UserFactory
from retrieval.types import Verdict

pytestmark = pytest.mark.django_db(transaction=True)

ABSTENTION = ["turn_started", "progress", "meta", "delta", "final"]


async def run_turn(engine: engines.Engine, text: str = QUESTION) -> list[Event]:
    engines.install(engine)
    auth = visitor()
    started = await service.start_turn(auth, new_send(text))
    events = await watch_all(auth, started.turn_id)
    await engine.idle()
    return events


async def the_turn() -> Turn:
    return await db.call(Turn.objects.get)


async def the_answer() -> Message:
    return await db.call(Message.objects.get, author=Message.Author.ASSISTANT)


async def escalation_reasons() -> list[str]:
    return await db.call(lambda: list(Escalation.objects.values_list("reason", flat=True)))


def every_stored_value() -> str:
    """All columns of all rows that a turn leaves behind."""
    models = (Conversation, Turn, TurnStep, Message, Escalation, TurnTrace)
    return json.dumps([list(one.objects.values()) for one in models], default=str, ensure_ascii=False)


class TestAnAnsweredTurn:
    async def test_streams_sources_then_text_then_one_terminal_event(self) -> None:
        events = await run_turn(make_engine())

        expected = ["turn_started", "progress", "progress", "meta", "delta", "delta", "delta", "final"]
        assert types_of(events) == expected
        assert numbers_of(events) == list(range(1, len(events) + 1))

    async def test_stores_the_bytes_it_showed(self) -> None:
        events = await run_turn(make_engine())

        answer = await the_answer()
        assert answer.text == text_of(events) == ending(events, Final).answer == "".join(WORDS)
        assert not answer.incomplete

    async def test_cites_only_what_its_words_cite(self) -> None:
        events = await run_turn(make_engine("Nothing is cited here."))

        meta, final = only(Meta, events), ending(events, Final)
        assert [citation.n for citation in meta.citations] == [1]
        assert final.citations == ()
        assert final.guardrail_decisions[-1].outcome == "flagged"

    async def test_leaves_a_step_a_node_and_a_trace_without_words(self) -> None:
        await run_turn(make_engine())

        steps = await db.call(lambda: list(TurnStep.objects.values_list("number", "node", "next_node")))
        nodes = (
            "prepare guardrail_pre plan_turn prefetch build_context answer guardrail_post finalize".split()
        )
        assert steps == list(zip(range(1, 9), nodes, [*nodes[1:], "end"], strict=True))
        trace = await db.call(TurnTrace.objects.get)
        assert (trace.action, trace.plan_kind, trace.provider) == ("answered", "knowledge", "scripted")
        assert set(nodes) <= trace.timings_ms.keys()

    async def test_survives_a_trace_that_cannot_be_written(self) -> None:
        model = ScriptedModel(*WORDS, name="longer than the column" * 3)
        events = await run_turn(make_engine(model=model))

        assert ending(events, Final).action == "answered"
        assert (await the_turn()).status == TurnStatus.ENDED
        assert not await db.call(TurnTrace.objects.exists)

    async def test_keeps_nothing_of_who_asked_in_any_stored_column(self) -> None:
        engines.install(engine := make_engine())
        user = await db.call(UserFactory.create, credential_ref="handle-canary", member_id="member-canary")
        await service.start_turn(auth_context(user), new_send())
        await engine.idle()

        stored = await db.call(every_stored_value)
        assert QUESTION in stored
        for secret in ("handle-canary", "member-canary", user.username, "credential_ref", "AuthContext"):
            assert secret not in stored


class TestAnAbstention:
    @pytest.mark.parametrize("verdict", [one for one in Verdict if one is not Verdict.PASSED])
    async def test_of_the_gate_cites_nothing_and_calls_no_model(self, verdict: Verdict) -> None:
        model = ScriptedModel("never")
        events = await run_turn(make_engine(model=model, search=weak(verdict)))

        assert types_of(events) == ABSTENTION
        assert only(Meta, events).citations == ()
        assert ending(events, Final).citations == ()
        assert (ending(events, Final).action, escalation_of(events).reason) == ("escalated", str(verdict))
        assert model.requests == []
        assert await escalation_reasons() == [str(verdict)]

    async def test_of_the_model_is_recognised_before_a_byte_is_shown(self) -> None:
        events = await run_turn(make_engine(" <abs", "tain/>\n"))

        assert "<abstain" not in text_of(events)
        assert escalation_of(events).reason == "model_abstained"
        assert ending(events, Final).citations == ()

    @pytest.mark.parametrize(
        "script",
        [(ModelUnavailable(),), (" ", ModelInterrupted()), (ValueError("a bug"),), (" ", "\n")],
        ids=["no provider", "broken before text", "a bug", "blank"],
    )
    async def test_follows_a_failed_generation(self, script: tuple[str | Exception, ...]) -> None:
        events = await run_turn(make_engine(*script))

        assert types_of(events)[-3:] == ["meta", "delta", "final"]
        assert escalation_of(events).reason == "generation_failed"
        assert await escalation_reasons() == ["generation_failed"]

    async def test_follows_a_search_that_failed_whole(self) -> None:
        events = await run_turn(make_engine(search=DependencyUnavailable()))

        assert types_of(events) == ABSTENTION
        assert await escalation_reasons() == ["no_results"]

    async def test_follows_a_node_that_ran_out_of_time(self) -> None:
        never = asyncio.Event()
        events = await run_turn(make_engine(never, NODE_TIMEOUT_SECONDS=2, TOOL_TIMEOUT_SECONDS=1))

        assert await escalation_reasons() == ["generation_failed"]
        assert ending(events, Final).action == "escalated"

    async def test_says_the_reference_that_staff_see(self) -> None:
        events = await run_turn(make_engine(search=weak(Verdict.LOW_CONFIDENCE)))

        row = await db.call(Escalation.objects.get)
        assert row.reference == escalation_of(events).reference
        assert row.reference in ending(events, Final).answer
        assert (row.question, row.turn_id) == (QUESTION, (await the_turn()).pk)


class TestAnEmergency:
    async def test_is_handed_over_with_search_and_model_switched_off(self) -> None:
        model, engine = ScriptedModel("never"), make_engine(search=RuntimeError("off"))
        events = await run_turn(engine, "my father is having severe chest pain right now, he can't breathe")

        assert types_of(events) == ["turn_started", "meta", "delta", "final"]
        assert (ending(events, Final).route, escalation_of(events).reason) == ("acute", "acute")
        assert isinstance(engine.search, ScriptedSearch)
        assert engine.search.queries == []
        assert model.requests == []


class TestAWishForAPerson:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [("I want to talk to a person", "member_asked"), ("I want to make a complaint", "complaint")],
    )
    async def test_is_handed_over_without_search_or_model(self, text: str, reason: str) -> None:
        events = await run_turn(make_engine(search=RuntimeError("off")), text)

        assert types_of(events) == ["turn_started", "meta", "delta", "final"]
        assert (ending(events, Final).route, escalation_of(events).reason) == ("action", reason)
        assert await escalation_reasons() == [reason]


class TestATemplate:
    async def test_answers_small_talk_without_search_model_or_escalation(self) -> None:
        model, engine = ScriptedModel("never"), make_engine(search=RuntimeError("off"))
        events = await run_turn(engine, "hello")

        assert types_of(events) == ["turn_started", "progress", "meta", "delta", "final"]
        assert (ending(events, Final).action, ending(events, Final).route) == ("answered", "small_talk")
        assert await escalation_reasons() == []
        assert model.requests == []

    async def test_refuses_what_is_out_of_scope_without_escalation(self) -> None:
        events = await run_turn(
            make_engine(search=RuntimeError("off")), "what happens to gold loan rates now"
        )

        assert (ending(events, Final).action, ending(events, Final).route) == ("refused", "out_of_scope")
        assert await escalation_reasons() == []


class TestAFailureAfterVisibleText:
    async def test_keeps_the_text_marks_it_and_can_be_retried(self) -> None:
        events = await run_turn(make_engine("The limit is ", ModelInterrupted()))

        assert types_of(events)[-3:] == ["meta", "delta", "error"]
        error = ending(events, TurnError)
        assert (error.code, error.retryable) == ("generation_failed", True)
        answer = await the_answer()
        assert (answer.text, answer.incomplete) == ("The limit is ", True)
        assert await escalation_reasons() == ["generation_failed"]
        assert (await the_turn()).status == TurnStatus.INTERRUPTED

    async def test_can_be_continued_and_keeps_its_one_escalation(self) -> None:
        await run_turn(make_engine("The limit is ", ModelInterrupted()))
        turn = await the_turn()
        auth = await db.call(lambda: owner_of(turn.conversation))
        engines.install(engine := make_engine())

        await service.continue_turn(auth, turn.pk)
        events = await watch_all(auth, turn.pk, after=turn.last_seq)
        await engine.idle()

        assert numbers_of(events) == list(range(turn.last_seq + 1, turn.last_seq + 1 + len(events)))
        assert ending(events, Final).action == "answered"
        assert (await the_answer()).text == ending(events, Final).answer
        assert await escalation_reasons() == ["generation_failed"]
