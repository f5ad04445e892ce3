"""How the journeys ask: one turn through the service every transport uses, with whatever it left behind."""

import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from chat.models import Escalation
from chat.turn import service
from chat.turn.events import Citation, Event, Final
from chat.turn.tests.support import ending, new_send, watch_all
from plancover_assist import db
from plancover_assist.identity.context import AuthContext, auth_context
from plancover_assist.identity.models import User
from plancover_assist.llm.types import AnswerModel, ModelRequest, StreamPart
from retrieval.models import Chunk
from retrieval.selectors import find_live_generation


class RecordingModel:
    """Passes every call on to the real model and remembers it."""

    def __init__(self, model: AnswerModel) -> None:
        self._model = model
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        self.requests.append(request)
        async with aclosing(self._model.stream(request)) as parts:
            async for part in parts:
                yield part


@dataclass(frozen=True, slots=True)
class Answered:
    """One turn that has ended: what its watchers saw and the hand-overs it left."""

    events: tuple[Event, ...]
    escalations: tuple[str, ...]  # reasons

    @property
    def final(self) -> Final:
        return ending(self.events, Final)

    @property
    def offered(self) -> tuple[Citation, ...]:
        return tuple(one for event in self.events if event.type == "meta" for one in event.citations)


async def ask(username: str, text: str) -> Answered:
    """Ask as a demo user, or signed out for an empty name, in a conversation of its own."""
    auth = await db.call(who_is, username)
    started = await service.start_turn(auth, new_send(text))
    events = await watch_all(auth, started.turn_id)
    reasons = await db.call(reasons_of, started.turn_id)
    return Answered(tuple(events), reasons)


def who_is(username: str) -> AuthContext:
    """Return a demo user's identity, or a new visitor's."""
    if not username:
        return AuthContext(visitor_key=uuid.uuid4().hex)
    return auth_context(User.objects.get(username=username))


def reasons_of(turn_id: uuid.UUID) -> tuple[str, ...]:
    return tuple(Escalation.objects.filter(turn_id=turn_id).values_list("reason", flat=True))


def passages_of(citation: Citation) -> list[tuple[str, str]]:
    """Return owner and whole text of the indexed passages that a citation previews word for word."""
    live = find_live_generation()
    assert live is not None
    rows = Chunk.objects.filter(generation=live, document__doc_id=citation.doc_id, clause=citation.clause)
    preview = citation.quote.removesuffix("…").rstrip()
    return [(row.owner, row.text) for row in rows if row.text.startswith(preview)]
