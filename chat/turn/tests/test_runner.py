"""What a node cannot get around: the table's edges, the backstop, and who may speak."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace

import pytest

from chat.models import Turn, TurnStatus, TurnStep
from chat.turn import engine as engines
from chat.turn import graph, service, transcript
from chat.turn.events import Event, TurnError
from chat.turn.graph import Node, Route, SilentNode, SpeakingNode
from chat.turn.runtime import TurnRuntime, Voice
from chat.turn.state import TurnState
from chat.turn.tests.support import ending, make_engine, new_send, types_of, visitor, watch_all
from chat.turn.transcript import ForeignSpeaker
from plancover_assist import db
from plancover_assist.llm.gateway import get_models
from plancover_assist.llm.types import GatherModel, Message, ModelRequest
from plancover_assist.settings.bounds import Bounds

pytestmark = pytest.mark.django_db(transaction=True)

Change = Callable[[str, Node], None]


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Replace one node of the table for this test."""

    def put(name: str, node: Node) -> None:
        table: Mapping[str, Node] = {**graph.NODES, name: node}
        monkeypatch.setattr(graph, "NODES", table)

    return put


async def run_turn() -> list[Event]:
    engines.install(engine := make_engine())
    auth = visitor()
    started = await service.start_turn(auth, new_send())
    events = await watch_all(auth, started.turn_id)
    await engine.idle()
    return events


def rerouted(name: str, route: Route, *edges: str) -> Node:
    return replace(graph.NODES[name], route=route, edges=frozenset(edges))


class TestTheRunner:
    async def test_refuses_an_edge_that_the_table_does_not_list(self, change: Change) -> None:
        change("prepare", rerouted("prepare", lambda _: "answer", "guardrail_pre"))
        events = await run_turn()

        assert types_of(events) == ["turn_started", "error"]
        assert ending(events, TurnError).retryable
        assert await db.call(TurnStep.objects.count) == 0

    async def test_ends_a_cycle_at_the_backstop(self, change: Change) -> None:
        change("plan_turn", rerouted("plan_turn", lambda _: "prepare", "prepare"))
        events = await run_turn()

        assert types_of(events) == ["turn_started", "error"]
        assert await db.call(TurnStep.objects.count) == Bounds().GRAPH_RECURSION_LIMIT
        assert (await db.call(Turn.objects.get)).status == TurnStatus.INTERRUPTED

    async def test_ends_a_turn_whose_node_fails_without_an_exit_in_an_error(self, change: Change) -> None:
        async def fail(_: TurnState, __: TurnRuntime) -> TurnState:
            raise ValueError("a bug")

        node = graph.NODES["guardrail_pre"]
        change("guardrail_pre", SilentNode(node.route, node.edges, work=fail))
        events = await run_turn()

        assert types_of(events) == ["turn_started", "error"]
        assert "a bug" not in ending(events, TurnError).message


class TestThreeGuardsAgainstHalfAnAnswer:
    """Each alone keeps text in; the other two are switched off in its test."""

    def let_all_speak(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(transcript, "SPEAKERS", frozenset({*graph.NODES, transcript.CLOSING}))

    def give_a_voice(self, change: Change, work: graph.SpeakingWork) -> None:
        node = graph.NODES["plan_turn"]
        change("plan_turn", SpeakingNode(node.route, node.edges, work=work))

    async def test_the_gather_role_cannot_stream(
        self, change: Change, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        request = ModelRequest(
            messages=(Message(role="user", content="Plan."),), max_tokens=10, temperature=0
        )

        async def stream_the_plan(state: TurnState, _: TurnRuntime, voice: Voice) -> TurnState:
            gather = get_models().gather
            async for part in gather.stream(request):  # type: ignore[attr-defined]  # that is the guard
                await voice.say(part.text)
            return state

        self.let_all_speak(monkeypatch)
        self.give_a_voice(change, stream_the_plan)

        assert types_of(await run_turn()) == ["turn_started", "error"]
        assert not hasattr(GatherModel, "stream")

    async def test_a_silent_node_is_given_nothing_to_speak_with(
        self, change: Change, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given: list[object] = []

        async def look_for_a_voice(*arguments: object) -> TurnState:
            state, runtime = arguments
            assert isinstance(state, TurnState)
            assert isinstance(runtime, TurnRuntime)
            given.extend(getattr(runtime, one.name) for one in fields(runtime))
            return state

        node = graph.NODES["plan_turn"]
        self.let_all_speak(monkeypatch)
        change("plan_turn", SilentNode(node.route, node.edges, work=look_for_a_voice))
        await run_turn()

        assert given
        assert not [one for one in given if hasattr(one, "say") or hasattr(one, "emit")]

    async def test_the_runner_refuses_text_of_any_other_node(self, change: Change) -> None:
        refused: list[ForeignSpeaker] = []

        async def speak_out_of_turn(state: TurnState, _: TurnRuntime, voice: Voice) -> TurnState:
            try:
                await voice.say("half an answer")
            except ForeignSpeaker as error:
                refused.append(error)
            return state

        self.give_a_voice(change, speak_out_of_turn)
        events = await run_turn()

        assert len(refused) == 1
        assert "half an answer" not in repr(events)

    async def test_a_voice_kept_beyond_its_node_is_refused_too(self, change: Change) -> None:
        kept: list[Voice] = []
        answer, post = graph.NODES["answer"], graph.NODES["guardrail_post"]

        async def keep(state: TurnState, _: TurnRuntime, voice: Voice) -> TurnState:
            kept.append(voice)
            return state.model_copy(update={"answer": "An answer."})

        async def use(state: TurnState, _: TurnRuntime) -> TurnState:
            await kept[0].say("an afterthought")
            return state

        change("answer", SpeakingNode(answer.route, answer.edges, work=keep))
        change("guardrail_post", SilentNode(post.route, post.edges, work=use))
        events = await run_turn()

        assert events[-1].type == "error"
        assert "an afterthought" not in repr(events)
