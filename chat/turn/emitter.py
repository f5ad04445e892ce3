"""Numbers the events of one run and hands them to the turn log.

A number is taken in the same step of the event loop in which its entry is queued, and entries are written one
after another by tasks of their own: cancelling a run can neither lose nor double a number.
"""

import asyncio
from datetime import UTC, datetime
from typing import Any, TypeVar

from chat.turn.events import Envelope
from chat.turn.log.base import Entry, TurnLog

E = TypeVar("E", bound=Envelope)


class Emitter:
    """The only writer of its turn. `last_seq` is the highest number taken so far."""

    def __init__(self, log: TurnLog, *, turn_id: str, attempt: int, last_seq: int) -> None:
        self._log = log
        self._turn_id = turn_id
        self._attempt = attempt
        self._tail: asyncio.Task[None] | None = None
        self.last_seq = last_seq

    def build(self, kind: type[E], **fields: Any) -> E:
        """Return the next event without taking its number."""
        return kind(
            turn_id=self._turn_id,
            seq=self.last_seq + 1,
            attempt=self._attempt,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            **fields,
        )

    async def publish(self, event: Envelope) -> None:
        """Take the number of `event`, which `build` made last, and put it into the log."""
        if event.seq != self.last_seq + 1:
            raise ValueError(f"event {event.seq} published after {self.last_seq}")
        self.last_seq = event.seq
        entry = Entry(event.seq, event.model_dump_json())
        self._tail = asyncio.create_task(self._append(self._tail, entry))
        await asyncio.shield(self._tail)

    async def emit(self, kind: type[Envelope], **fields: Any) -> None:
        """Build and publish one event."""
        await self.publish(self.build(kind, **fields))

    async def settle(self) -> None:
        """Wait until every number taken is in the log."""
        if self._tail is not None:
            await asyncio.shield(self._tail)

    async def _append(self, before: asyncio.Task[None] | None, entry: Entry) -> None:
        if before is not None:
            await before
        await self._log.append(self._turn_id, entry)
