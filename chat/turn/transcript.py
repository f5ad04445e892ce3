"""What the member has been shown in this run: sources first, then text, each byte remembered.

The answer that is stored is exactly what went through here. It refuses text from any node but the answer;
the fixed words of an exit are spoken when no node runs any more.
"""

from dataclasses import dataclass

from chat.turn.emitter import Emitter
from chat.turn.events import Delta, Gate, Meta, Part
from chat.turn.state import Knowledge, TurnState
from retrieval.types import Verdict

ANSWER = "answer"  # the one node that speaks
CLOSING = "closing"  # no node runs: the runner speaks what is left of the answer
SPEAKERS = frozenset({ANSWER, CLOSING})


class ForeignSpeaker(Exception):
    """A node other than the answer tried to show text: a bug, caught before anybody saw it."""


class Transcript:
    """`text` is what was shown so far, `node` who is at work."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self._sources_shown = False
        self.node = ""
        self.text = ""

    async def say(self, state: TurnState, text: str, part: Part = "general") -> None:
        """Show `text`, after the sources where none were shown yet. Raises `ForeignSpeaker`."""
        if self.node not in SPEAKERS:
            raise ForeignSpeaker(self.node)
        if not self._sources_shown:
            self._sources_shown = True
            await self._show_sources(state, part)
        self.text += text
        await self._emitter.emit(Delta, text=text, part=part)

    async def close(self, state: TurnState) -> None:
        """Show what is left of the answer, so that shown and stored are the same bytes."""
        self.node = CLOSING
        if not state.answer.startswith(self.text):
            raise ForeignSpeaker("an exit may not contradict what was shown")
        rest = state.answer[len(self.text) :]
        if rest:
            await self.say(state, rest)

    async def _show_sources(self, state: TurnState, part: Part) -> None:
        await self._emitter.emit(
            Meta,
            citations=() if state.exit else state.citations,
            gate=gate_of(state.knowledge),
            tier=state.knowledge.tier,
            degraded_legs=state.knowledge.degraded_legs,
            parts=(part,),
        )


@dataclass(frozen=True, slots=True)
class AnswerVoice:
    """The `Voice` handed to the answer node, bound to the state it started from."""

    transcript: Transcript
    state: TurnState

    async def say(self, text: str, part: Part = "general") -> None:
        await self.transcript.say(self.state, text, part)


def gate_of(knowledge: Knowledge) -> Gate:
    """The gate's decision for the wire; a turn that searched nothing had nothing to fail."""
    return Gate(
        passed=knowledge.verdict in ("", Verdict.PASSED),
        score=knowledge.gate_score,
        score_kind=knowledge.score_kind,
        threshold=knowledge.gate_threshold,
    )
