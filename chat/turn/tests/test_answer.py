"""The answer node and the stream it listens to."""

import pytest

from chat.turn.events import Part
from chat.turn.nodes.answer import answer
from chat.turn.state import TurnState
from chat.turn.tests.support import ScriptedModel, new_runtime
from plancover_assist.llm.gateway import AnswerChain


class Cut(Exception):
    """What comes out of a voice whose run was cut."""


class CutVoice:
    async def say(self, text: str, part: Part = "general") -> None:
        raise Cut


class TestTheAnswer:
    async def test_that_is_cut_while_it_speaks_leaves_no_model_at_work(self) -> None:
        model = ScriptedModel("The limit is ", "₹40,000 ", "per eye.")
        # Held on to, as a log line or a task holds its error: only then would a forgotten stream stay open.
        with pytest.raises(Cut) as cut:
            await answer(TurnState(question="What?"), new_runtime(AnswerChain([model])), CutVoice())

        assert len(model.requests) == 1
        assert model.open == 0, cut
