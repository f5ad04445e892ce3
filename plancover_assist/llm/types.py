"""What crosses the model gateway: requests in, text and usage out. No provider's own types appear here."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    role: Literal["system", "user", "assistant"]
    content: str


class ModelRequest(BaseModel):
    """One call. `max_tokens` in tokens, `temperature` 0 to 2.

    `timeout` in seconds: for the wait before each part of a stream, or for the whole of an object.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float
    timeout: float = 30.0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider counted them; cost in US dollars."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of answer text, in order; never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The last part of every stream: who answered, and what it took."""

    provider: str
    usage: Usage
    truncated: bool = False


StreamPart = TextChunk | Completed
Structured = TypeVar("Structured", bound=BaseModel)


class GatherModel(Protocol):
    """Chooses; it has no streaming method, so it cannot leak half an answer."""

    async def complete(self, request: ModelRequest, schema: type[Structured]) -> Structured:
        """Return one validated object; raises `ModelUnavailable` when every provider failed."""
        ...


class AnswerModel(Protocol):
    """Writes; streams text parts and then exactly one `Completed`.

    Whoever stops listening closes the stream (`aclosing`), so that a provider ends its work at once.
    """

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamPart]:
        """Raises `ModelUnavailable` before the first part when every provider failed.

        After the first part a failure raises `ModelInterrupted`; the provider is never switched then.
        """
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """The two roles, handed to a turn in its runtime."""

    gather: GatherModel
    answer: AnswerModel
