"""Runs a turn node after node, and saves it at each boundary. It decides nothing about the turn.

It knows three things a node must not get around: the table's edges, the bounds, and who may speak. How a
run is started, watched, stopped and ended is `chat.turn.lifecycle`'s business.
"""

import asyncio
import logging
from dataclasses import dataclass
from time import perf_counter

from chat.services.boundaries import Boundary, save_boundary
from chat.services.leases import Hold, LeaseLost
from chat.turn import exits, graph, limits
from chat.turn.emitter import Emitter
from chat.turn.events import Progress
from chat.turn.graph import Node, SilentNode, SpeakingNode
from chat.turn.runtime import TurnRuntime
from chat.turn.sentences import sentence
from chat.turn.state import TurnState
from chat.turn.transcript import AnswerVoice, Transcript
from plancover_assist import db

logger = logging.getLogger(__name__)


class NodeFailed(Exception):
    """A node failed where no exit can speak for it: the run ends in an error the member can retry."""


class StopSeen(Exception):
    """A boundary found that a stop was asked for."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a run stands: the next node, and the state it starts from."""

    node: str
    state: TurnState
    steps: int = 0


class Runner:
    """One attempt of one turn. `position` is the last saved one."""

    def __init__(
        self,
        *,
        position: Position,
        runtime: TurnRuntime,
        hold: Hold,
        emitter: Emitter,
        transcript: Transcript,
    ) -> None:
        self.position = position
        self.runtime = runtime
        self.transcript = transcript
        self._hold = hold
        self._emitter = emitter

    async def walk(self) -> TurnState:
        """Run to the end of the graph and return the last state.

        Raises `NodeFailed`, `StopSeen`, `LeaseLost`, and `BudgetSpent` at the backstop.
        """
        while self.position.node != graph.END:
            await self._step(self.position)
        return self.position.state

    async def _step(self, position: Position) -> None:
        limits.check_backstop(position.steps, self.runtime.bounds)
        started = perf_counter()
        state, target = await self._work_or_exit(position)
        spent_ms = 1000 * (perf_counter() - started)
        done = Position(target, _timed(state, position.node, spent_ms), position.steps + 1)
        await self._save(position, done, spent_ms)

    async def _work_or_exit(self, position: Position) -> tuple[TurnState, str]:
        """Run the node; where it fails and the table names an exit for that, decide the exit instead."""
        node = graph.NODES[position.node]
        try:
            state = await self._work(node, position)
        except LeaseLost:
            raise
        except Exception as error:
            logger.exception("node %s failed", position.node)
            if not node.failure or self.transcript.text:
                raise NodeFailed(position.node) from error
            state = position.state.model_copy(update={"exit": exits.escalated(node.failure)})
        return state, graph.next_node(position.node, state)

    async def _work(self, node: SilentNode | SpeakingNode, position: Position) -> TurnState:
        self.transcript.node = position.node
        await self._show_progress(node, position.state)
        async with asyncio.timeout(self.runtime.bounds.NODE_TIMEOUT_SECONDS):
            if isinstance(node, SilentNode):
                return await node.work(position.state, self.runtime)
            voice = AnswerVoice(self.transcript, position.state)
            return await node.work(position.state, self.runtime, voice)

    async def _show_progress(self, node: Node, state: TurnState) -> None:
        if node.progress and state.exit is None:
            text = sentence(node.progress, state.lang)
            await self._emitter.emit(Progress, step=self.transcript.node, text=text)

    async def _save(self, before: Position, after: Position, spent_ms: float) -> None:
        boundary = Boundary(
            number=after.steps,
            node=before.node,
            next_node=after.node,
            duration_ms=spent_ms,
            state=after.state.model_dump_json(),
            last_seq=self._emitter.last_seq,
        )
        stop_requested = await db.call(save_boundary, self._hold, boundary)
        self.position = after
        if stop_requested and after.node != graph.END:
            raise StopSeen


def _timed(state: TurnState, node: str, spent_ms: float) -> TurnState:
    spent = state.spent.model_copy(update={"nodes": state.spent.nodes + 1})
    timings = {**state.timings_ms, node: round(spent_ms, 2)}
    return state.model_copy(update={"timings_ms": timings, "spent": spent})
