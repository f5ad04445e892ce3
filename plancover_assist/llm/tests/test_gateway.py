"""The chain of answer models: who is asked, when the next one is, and that nobody is left at work."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from plancover_assist.errors import ModelInterrupted, ModelUnavailable
from plancover_assist.llm.gateway import AnswerChain
from plancover_assist.llm.types import Completed, Message, ModelRequest, StreamPart, TextChunk, Usage

REQUEST = ModelRequest(
    messages=(Message(role="user", content="my biopsy"),), max_tokens=10, temperature=0, timeout=0.05
)
DONE = Completed("fake", Usage())
Step = StreamPart | Exception | None


class FakeModel:
    """Streams its script; None stands for a part that never comes. `open` counts unfinished streams."""

    def __init__(self, *script: Step) -> None:
        self._script = script
        self.open = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        self.open += 1
        try:
            for step in self._script:
                if isinstance(step, Exception):
                    raise step
                if step is None:
                    await asyncio.Event().wait()
                else:
                    yield step
        finally:
            self.open -= 1


async def parts_of(*models: FakeModel) -> list[StreamPart]:
    return [part async for part in AnswerChain(models).stream(REQUEST)]


class TestTheAnswerChain:
    async def test_streams_the_first_model_that_begins(self) -> None:
        unused = FakeModel(TextChunk("never"))

        assert await parts_of(FakeModel(TextChunk("a"), DONE), unused) == [TextChunk("a"), DONE]

    @pytest.mark.parametrize("script", [(ValueError("a bug"),), (None,), ()], ids=["failed", "late", "empty"])
    async def test_goes_on_to_the_next_before_any_text(self, script: tuple[Step, ...]) -> None:
        first = FakeModel(*script)

        assert await parts_of(first, FakeModel(TextChunk("b"), DONE)) == [TextChunk("b"), DONE]
        assert first.open == 0

    async def test_says_so_when_nobody_begins(self) -> None:
        with pytest.raises(ModelUnavailable):
            await parts_of(FakeModel(ValueError("a bug")))

    @pytest.mark.parametrize("trouble", [ValueError("a bug"), None], ids=["failed", "late"])
    async def test_never_changes_the_model_after_text(self, trouble: Step) -> None:
        with pytest.raises(ModelInterrupted):
            await parts_of(FakeModel(TextChunk("a"), trouble), FakeModel(TextChunk("b")))

    @pytest.mark.parametrize("read", [1, 2])
    async def test_closes_the_model_of_whoever_stops_reading(self, read: int) -> None:
        model = FakeModel(TextChunk("a"), TextChunk("b"), TextChunk("c"))
        async with aclosing(AnswerChain([model]).stream(REQUEST)) as parts:
            for _ in range(read):
                await anext(parts)
            assert model.open == 1

        assert model.open == 0

    async def test_logs_no_word_that_a_model_quotes_in_its_errors(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        await parts_of(FakeModel(ValueError("cannot read: my biopsy")), FakeModel(DONE))

        assert "ValueError" in caplog.text
        assert "biopsy" not in caplog.text
