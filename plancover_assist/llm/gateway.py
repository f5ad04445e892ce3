"""The model gateway: each role is an ordered chain of providers, tried in turn.

A provider that fails before its first text hands over to the next; after visible text nothing is
switched, because half an answer by one model and half by another is neither's. No provider's exceptions
leave this module: a caller sees `ModelUnavailable` or `ModelInterrupted`.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import lru_cache

from django.conf import settings

from plancover_assist.errors import Misconfigured, ModelInterrupted, ModelUnavailable
from plancover_assist.llm.local.model import LocalAnswerModel
from plancover_assist.llm.types import (
    AnswerModel,
    GatherModel,
    ModelRequest,
    Models,
    StreamPart,
    Structured,
)

log = logging.getLogger(__name__)


class AnswerChain:
    """The answer role over its providers, in the configured order."""

    def __init__(self, providers: Sequence[AnswerModel]) -> None:
        self._providers = tuple(providers)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        """Stream the first provider that begins within `request.timeout` seconds; none is left at work."""
        for provider in self._providers:
            async with aclosing(provider.stream(request)) as parts:
                part = first = await _first_part(parts, request.timeout)
                while part is not None:
                    yield part
                    part = await _next_part(parts, request.timeout)
            if first is not None:
                return
        raise ModelUnavailable("No model could answer just now.")


class GatherChain:
    """The gather role over its providers, in the configured order.

    The offline model offers no structured output, so its chain has no provider and plans come from rules.
    """

    def __init__(self, providers: Sequence[GatherModel]) -> None:
        self._providers = tuple(providers)

    async def complete(self, request: ModelRequest, schema: type[Structured]) -> Structured:
        """Return the first provider's object that comes within `request.timeout` seconds."""
        for provider in self._providers:
            try:
                return await asyncio.wait_for(provider.complete(request, schema), request.timeout)
            except Exception as error:  # noqa: BLE001 - whatever a provider raises, the next one gets its turn
                log.warning("a provider failed to give %s: %s", schema.__name__, type(error).__name__)
        raise ModelUnavailable("No model could choose just now.")


async def _first_part(parts: AsyncIterator[StreamPart], timeout: float) -> StreamPart | None:
    try:
        return await asyncio.wait_for(anext(parts), timeout)
    except Exception as error:  # noqa: BLE001 - whatever a provider raises, the next one gets its turn
        log.warning("a provider failed before its first text: %s", type(error).__name__)
        return None


async def _next_part(parts: AsyncIterator[StreamPart], timeout: float) -> StreamPart | None:
    try:
        return await asyncio.wait_for(anext(parts), timeout)
    except StopAsyncIteration:
        return None
    except Exception as error:
        raise ModelInterrupted("The answer broke off.") from error


def _local(pace_ms: int) -> AnswerModel:
    return LocalAnswerModel(pace_ms=pace_ms)


_PROVIDERS: Mapping[str, Callable[[int], AnswerModel]] = {"local": _local}


def _provider(name: str, pace_ms: int) -> AnswerModel:
    if name not in _PROVIDERS:
        raise Misconfigured(f"ASSIST_ANSWER_MODELS names {name!r}; known here: {', '.join(_PROVIDERS)}.")
    return _PROVIDERS[name](pace_ms)


def _gather_provider(name: str) -> GatherModel | None:
    if name not in _PROVIDERS:
        raise Misconfigured(f"ASSIST_GATHER_MODELS names {name!r}; known here: {', '.join(_PROVIDERS)}.")
    return None


@lru_cache(maxsize=1)
def get_models() -> Models:
    """The process's two roles. Raises `Misconfigured` for a provider this installation does not know."""
    return build_models(pace_ms=settings.LOCAL_MODEL_PACE_MS)


def build_models(*, pace_ms: int) -> Models:
    """Return the two roles with the offline model at its own pace (milliseconds a word, 0 for none)."""
    answer = AnswerChain([_provider(name, pace_ms) for name in settings.ASSIST_ANSWER_MODELS])
    gather = [_gather_provider(name) for name in settings.ASSIST_GATHER_MODELS]
    return Models(gather=GatherChain([model for model in gather if model]), answer=answer)
