"""The turn as a table: every node, what it does, where it may lead, and what its failure means.

Imports no models and no selectors. The runner refuses an edge that is not listed here.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from chat.turn import routes
from chat.turn.nodes import (
    answer,
    build_context,
    escalate,
    finalize,
    guardrail_post,
    guardrail_pre,
    plan_turn,
    prefetch,
    prepare,
)
from chat.turn.runtime import TurnRuntime, Voice
from chat.turn.state import TurnState

START = "prepare"
END = routes.END
ESCALATE = "escalate"

SilentWork = Callable[[TurnState, TurnRuntime], Awaitable[TurnState]]
SpeakingWork = Callable[[TurnState, TurnRuntime, Voice], Awaitable[TurnState]]
Route = Callable[[TurnState], str]


class IllegalEdge(Exception):
    """A route named a node that the table does not allow from here: a bug."""


@dataclass(frozen=True, slots=True)
class Node:
    """`failure` is the exit reason when the node fails or runs out of time; empty: the turn ends in an error.

    `progress` names the sentence a watcher sees while the node works.
    """

    route: Route
    edges: frozenset[str]
    failure: str = ""
    progress: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentNode(Node):
    """Works without a word: it has nothing to speak with."""

    work: SilentWork


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakingNode(Node):
    """Is handed the voice."""

    work: SpeakingWork


NODES: Mapping[str, SilentNode | SpeakingNode] = MappingProxyType(
    {
        "prepare": SilentNode(
            routes.after_prepare, frozenset({"guardrail_pre", "escalate"}), work=prepare.prepare
        ),
        "guardrail_pre": SilentNode(
            routes.after_guardrail_pre,
            frozenset({"plan_turn", "build_context", "escalate"}),
            work=guardrail_pre.guardrail_pre,
        ),
        "plan_turn": SilentNode(
            routes.after_plan_turn, frozenset({"prefetch", "build_context"}), work=plan_turn.plan_turn
        ),
        "prefetch": SilentNode(
            routes.after_prefetch,
            frozenset({"build_context"}),
            failure="no_results",
            progress="progress.searching",
            work=prefetch.prefetch,
        ),
        "build_context": SilentNode(
            routes.after_build_context, frozenset({"answer"}), work=build_context.build_context
        ),
        "answer": SpeakingNode(
            routes.after_answer,
            frozenset({"guardrail_post", "escalate"}),
            failure="generation_failed",
            progress="progress.answering",
            work=answer.answer,
        ),
        "guardrail_post": SilentNode(
            routes.after_guardrail_post, frozenset({"finalize"}), work=guardrail_post.guardrail_post
        ),
        "finalize": SilentNode(routes.after_finalize, frozenset({END}), work=finalize.finalize),
        "escalate": SilentNode(routes.after_escalate, frozenset({END}), work=escalate.escalate),
    }
)


def next_node(name: str, state: TurnState) -> str:
    """Return the node after `name`. Raises `IllegalEdge` for one that the table does not list."""
    node = NODES[name]
    target = node.route(state)
    if target not in node.edges:
        raise IllegalEdge(f"{name} -> {target}")
    return target
