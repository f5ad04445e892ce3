"""What clients send and what they get back when something is refused, typed and frozen.

Shapes and names are the wire contract's. Rules about content (an empty or too long message, who may see
what) belong to the services, so that every transport answers them with the same code.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from chat.turn.events import AuthRequired, ConfirmationRequired, Final, Paused, TurnError
from chat.turn.sends import CHANNEL_CHARS, CLIENT_KEY_PATTERN, LOCALE_CHARS
from plancover_assist.errors import AssistError, MalformedFrame
from plancover_assist.settings.bounds import REQUEST_MAX_TURNS

ClientKey = Annotated[str, Field(pattern=rf"^{CLIENT_KEY_PATTERN}$")]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SendFrame(Frozen):
    type: Literal["send"]
    client_id: ClientKey
    conversation_id: ClientKey
    text: str
    locale: Annotated[str, Field(max_length=LOCALE_CHARS)] = ""


class WatchFrame(Frozen):
    type: Literal["watch"]
    turn_id: UUID
    after: Annotated[int, Field(ge=0)] = 0


class StopFrame(Frozen):
    type: Literal["stop"]
    turn_id: UUID


class PingFrame(Frozen):
    type: Literal["ping"]


ClientFrame = Annotated[SendFrame | WatchFrame | StopFrame | PingFrame, Field(discriminator="type")]
CLIENT_FRAME: TypeAdapter[ClientFrame] = TypeAdapter(ClientFrame)


def parse_frame(text: str) -> ClientFrame:
    """Read one text frame; raises `MalformedFrame` naming the field at fault, never echoing its value."""
    try:
        return CLIENT_FRAME.validate_json(text)
    except ValidationError as error:
        raise MalformedFrame(field=_field_of(error)) from None


def _field_of(error: ValidationError) -> str | None:
    names = [str(part) for part in error.errors()[0]["loc"]]
    return names[-1] if names else None


class FrameError(Frozen):
    """The refusal of one frame. The socket stays open; `client_id` and `turn_id` repeat the frame's own."""

    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool = False
    field: str | None = None
    retry_after: int | None = None
    client_id: str | None = None
    turn_id: str | None = None


class Pong(Frozen):
    type: Literal["heartbeat"] = "heartbeat"


class WireMessage(Frozen):
    role: Literal["user"] = "user"
    content: str


class WireUtterance(Frozen):
    role: Literal["user", "assistant"]
    content: str


class Client(Frozen):
    locale: Annotated[str, Field(max_length=LOCALE_CHARS)] = ""
    timezone: Annotated[str, Field(max_length=64)] = ""


class ChatRequest(Frozen):
    """One question. `history` seeds an unknown conversation and is ignored for a known one."""

    conversation_id: ClientKey
    client_id: ClientKey
    channel: Annotated[str, Field(min_length=1, max_length=CHANNEL_CHARS)] = "api"
    message: WireMessage
    history: Annotated[tuple[WireUtterance, ...], Field(max_length=2 * REQUEST_MAX_TURNS)] = ()
    client: Client = Client()


class ResumeRequest(Frozen):
    turn_id: UUID


class StopRequest(Frozen):
    turn_id: UUID


class Accepted(Frozen):
    turn_id: UUID


class ErrorDetail(Frozen):
    code: str
    message: str
    field: str | None = None
    retry_after: int | None = None


class ErrorBody(Frozen):
    error: ErrorDetail


def error_body(error: AssistError, message: str) -> ErrorBody:
    """Return the body of a refusal; `message` is the error's sentence in the caller's language."""
    return ErrorBody(
        error=ErrorDetail(code=error.code, message=message, field=error.field, retry_after=error.retry_after)
    )


TerminalEvent = Annotated[
    Final | AuthRequired | ConfirmationRequired | Paused | TurnError, Field(discriminator="type")
]
