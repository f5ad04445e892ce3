"""escalate: hands the turn over to claims staff at once. It generates nothing and has no voice."""

from chat.turn import exits
from chat.turn.runtime import TurnRuntime
from chat.turn.state import TurnState


async def escalate(state: TurnState, runtime: TurnRuntime) -> TurnState:
    """Take the exit that an earlier node, a failure or the sweep decided."""
    return await exits.leave(state, runtime)
