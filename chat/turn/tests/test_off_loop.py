"""Work on text leaves the event loop free, in every place where a long message costs time."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from chat.turn.nodes.guardrail_post import guardrail_post
from chat.turn.nodes.guardrail_pre import guardrail_pre
from chat.turn.nodes.plan_turn import plan_turn
from chat.turn.off_loop import off_loop
from chat.turn.runtime import TurnRuntime
from chat.turn.state import PromptMessage, TurnState
from chat.turn.tests.support import new_runtime
from plancover_assist.telemetry import turn_id_var

LONG = "mere papa ko kal hospital me bharti kiya tha aur claim ka paisa nahi aaya. " * 100
STATE = TurnState(question=LONG, answer=LONG, prompt=(PromptMessage(role="user", content=LONG),))


class TestOffLoop:
    async def test_runs_on_a_thread_that_knows_its_turn(self) -> None:
        token = turn_id_var.set("t-1")
        try:
            thread, turn = await off_loop(lambda: (threading.get_ident(), turn_id_var.get()))
        finally:
            turn_id_var.reset(token)

        assert thread != threading.get_ident()
        assert turn == "t-1"

    async def test_hands_errors_back(self) -> None:
        with pytest.raises(ZeroDivisionError):
            await off_loop(lambda: 1 // 0)


class TestALongMessage:
    @pytest.mark.parametrize("node", [guardrail_pre, plan_turn, guardrail_post])
    async def test_is_judged_while_others_are_served(
        self, node: Callable[[TurnState, TurnRuntime], Awaitable[TurnState]]
    ) -> None:
        judging = asyncio.ensure_future(node(STATE, new_runtime()))
        await asyncio.sleep(0)  # one round of the loop: the node has run as far as it runs without a thread

        assert not judging.done()
        await judging
