"""The offline answer model: reads its prompt, quotes the best pieces with citations, or abstains.

It takes the same request as any other model and sees nothing that the request does not hold. The same
request gives the same text. It must never be given a database, a clock or the network.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable

from plancover_assist.embedding.embedder import Embedder
from plancover_assist.embedding.factory import find_embedder
from plancover_assist.fencing import ABSTAIN
from plancover_assist.llm.local.composing import compose
from plancover_assist.llm.local.reader import read
from plancover_assist.llm.local.scoring import score
from plancover_assist.llm.local.units import units
from plancover_assist.llm.types import Completed, ModelRequest, StreamPart, TextChunk, Usage

NAME = "local"

# Below these the best piece is on the subject and silent on the question, or beside it: 98 answerable and 42
# near-miss questions over the demo corpus, the score between them. Hindi and Hinglish questions lie a little
# further from any source. Without an embedder the scale is the share of words alone.
FLOORS = {"en": 0.895, "hi": 0.883, "hinglish": 0.87}
FLOOR_WITHOUT_EMBEDDER = 0.045

_WORD = re.compile(r"\s*\S+\s*?(?=\s|$)")


class LocalAnswerModel:
    """`pace_ms`: milliseconds between words, so that a person can read along; 0 writes at once."""

    def __init__(self, *, pace_ms: int, embedder: Callable[[], Embedder | None] = find_embedder) -> None:
        self._pace = pace_ms / 1000
        self._embedder = embedder

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        """Stream the answer word by word; the pieces joined are the answer."""
        text = await asyncio.to_thread(self.answer, request)
        pieces = [text] if text == ABSTAIN else _WORD.findall(text)[: request.max_tokens]
        for piece in pieces:
            yield TextChunk(piece)
            await asyncio.sleep(self._pace)
        words_in = sum(len(message.content.split()) for message in request.messages)
        yield Completed(NAME, Usage(words_in, len(pieces)), truncated="".join(pieces) != text)

    def answer(self, request: ModelRequest) -> str:
        """Return the whole answer, or the abstention when no source holds one."""
        prompt = read(request.messages)
        embedder = self._embedder()
        scored = score(prompt, [unit for source in prompt.sources for unit in units(source)], embedder)
        floor = FLOOR_WITHOUT_EMBEDDER if embedder is None else FLOORS[prompt.lang]
        answering = [candidate for candidate in scored if candidate.relevance >= floor]
        if not answering:
            return ABSTAIN
        return compose(prompt, max(answering, key=lambda candidate: candidate.score), scored)
