"""The table and its routes: every way out of a node is listed, every path ends, one node speaks."""

from itertools import product

import pytest

from chat.turn import exits, graph
from chat.turn.graph import END, NODES, IllegalEdge, SpeakingNode
from chat.turn.nodes import escalate
from chat.turn.sentences import keys
from chat.turn.state import Exit, Kind, Plan, TurnState
from plancover_assist.settings.bounds import Bounds

EXITS = (None, exits.escalated("acute", "acute.medical"), exits.refused("out_of_scope.general"))
PLANS = (None, *(Plan(kind=kind) for kind in Kind))
STATES = [
    TurnState(question="What?", exit=way_out, plan=plan, answer=answer)
    for way_out, plan, answer in product(EXITS, PLANS, ("", "An answer."))
]


def longest_path(node: str) -> int:
    return 0 if node == END else 1 + max(longest_path(target) for target in NODES[node].edges)


class TestTheTable:
    def test_lists_every_node_that_an_edge_names(self) -> None:
        assert {edge for node in NODES.values() for edge in node.edges} <= {*NODES, END}

    def test_reaches_every_node_from_its_start(self) -> None:
        reached, waiting = {END}, [graph.START]
        while waiting:
            name = waiting.pop()
            reached.add(name)
            waiting += [edge for edge in NODES[name].edges if edge not in reached]
        assert reached == {*NODES, END}

    def test_ends_on_every_path_below_the_backstop(self) -> None:
        assert longest_path(graph.START) < Bounds().GRAPH_RECURSION_LIMIT

    def test_lets_one_node_speak(self) -> None:
        assert [name for name, node in NODES.items() if isinstance(node, SpeakingNode)] == ["answer"]

    def test_has_words_for_its_progress_and_its_failures(self) -> None:
        said = {word for node in NODES.values() for word in (node.progress, node.failure) if word}
        assert said <= set(keys())


class TestNextNode:
    @pytest.mark.parametrize("name", NODES)
    def test_follows_the_table_whatever_the_state(self, name: str) -> None:
        assert {graph.next_node(name, state) for state in STATES} <= NODES[name].edges

    @pytest.mark.parametrize("name", NODES)
    def test_uses_every_edge_that_is_listed(self, name: str) -> None:
        assert {graph.next_node(name, state) for state in STATES} == NODES[name].edges

    def test_refuses_an_edge_that_is_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stray = graph.SilentNode(lambda _: "answer", frozenset({END}), work=escalate.escalate)
        monkeypatch.setattr(graph, "NODES", {**NODES, "escalate": stray})

        with pytest.raises(IllegalEdge, match="escalate -> answer"):
            graph.next_node("escalate", STATES[0])


class TestRoutes:
    def state(self, way_out: Exit | None = None, kind: Kind | None = None) -> TurnState:
        return TurnState(question="What?", exit=way_out, plan=Plan(kind=kind) if kind else None)

    def test_hand_an_emergency_over_at_once(self) -> None:
        assert graph.next_node("guardrail_pre", self.state(EXITS[1])) == "escalate"

    def test_say_a_refusal_through_the_answer(self) -> None:
        assert graph.next_node("guardrail_pre", self.state(EXITS[2])) == "build_context"

    @pytest.mark.parametrize("kind", [Kind.MEMBER, Kind.MIXED, Kind.KNOWLEDGE, Kind.ACTION])
    def test_search_for_every_kind_that_documents_can_help(self, kind: Kind) -> None:
        assert graph.next_node("plan_turn", self.state(kind=kind)) == "prefetch"

    @pytest.mark.parametrize("kind", [Kind.SMALL_TALK, Kind.OUT_OF_SCOPE])
    def test_search_for_no_other(self, kind: Kind) -> None:
        assert graph.next_node("plan_turn", self.state(kind=kind)) == "build_context"
