"""`manage.py ask`: one question, or a file of them, through the service that every transport uses.

Answers go to standard output, progress and logs to standard error. It asks nobody for a permission: whoever
may run commands here may ask as anybody.
"""

import asyncio
import json
import logging
import uuid
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chat.turn import engine as engines
from chat.turn import service
from chat.turn.engine import Engine
from chat.turn.events import Event, Heartbeat
from chat.turn.state import Utterance
from plancover_assist import db
from plancover_assist.errors import AssistError, BadInput, DependencyUnavailable, NotFound
from plancover_assist.identity.context import AuthContext, auth_context
from plancover_assist.identity.models import User
from plancover_assist.llm.gateway import build_models
from plancover_assist.llm.types import Models
from retrieval import startup

logger = logging.getLogger(__name__)

VISITOR_KEY = "manage-ask"  # so that signed-out questions can be carried on with --conversation
CHANNEL = "ask"

Build = Callable[[Models], Engine]


class Question(BaseModel):
    """One question: a line of a batch, or the command line's own. A set of cases may hold more beside it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int | None = None
    text: str
    username: str = Field(default="", alias="as")
    history: tuple[Utterance, ...] = ()
    conversation_id: str = ""


class Command(BaseCommand):
    help = "Ask one question, or every question of a file."

    def __init__(self, *args: Any, build: Build = engines.build_engine, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._build = build

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", nargs="?", help="the question")
        parser.add_argument("--as", dest="username", default="", metavar="USER", help="default: signed out")
        parser.add_argument("--conversation", default="", metavar="ID", help="carry a conversation on")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--batch", type=Path, metavar="IN.jsonl", help="lines {id, text, as?, history?}")
        parser.add_argument("--out", type=Path, metavar="OUT.jsonl", help="where a batch's answers go")

    def handle(self, **options: Any) -> None:
        batch, out = options["batch"], options["out"]
        if (options["text"] is None) == (batch is None) or (batch is None) != (out is None):
            raise CommandError("Give either a question, or --batch and --out together.", returncode=2)
        try:
            startup.verify()
            if batch is None:
                asyncio.run(self._ask_one(options))
            else:
                self._ask_batch(batch, out)
        except AssistError as error:
            raise CommandError(f"{error.message} ({error.code})") from error
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error

    async def _ask_one(self, options: dict[str, Any]) -> None:
        question = Question.model_validate(
            {"text": options["text"], "as": options["username"], "conversation_id": options["conversation"]}
        )
        async with _running(self._build):
            answer = await _ask(question)
        self.stdout.write(_as_json(answer) if options["json"] else _for_people(answer))

    def _ask_batch(self, batch: Path, out: Path) -> None:
        # Only a line feed ends a line: a question may hold other characters that split text elsewhere.
        lines = [line for line in batch.read_text(encoding="utf-8").split("\n") if line.strip()]
        # Half a surrogate pair, which a line's id may hold, is written as the JSON escape it came as.
        with out.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            asyncio.run(self._answer_lines(lines, stream))

    async def _answer_lines(self, lines: Sequence[str], out: TextIO) -> None:
        async with _running(self._build):
            for number, line in enumerate(lines, start=1):
                answer = await _answer_line(line)
                out.write(_as_json(answer) + "\n")
                out.flush()
                self.stderr.write(f"{number}/{len(lines)} {answer['id']!a}")


@asynccontextmanager
async def _running(build: Build) -> AsyncIterator[None]:
    """This command's own engine; nobody reads along, so the offline model keeps no pace."""
    engine = build(build_models(pace_ms=0))
    engines.install(engine)
    try:
        yield
    finally:
        await engine.aclose()


async def _answer_line(line: str) -> dict[str, Any]:
    """Answer one line of a batch; whatever is wrong with it is told in its own object."""
    given = _id_of(line)
    try:
        return await _ask(Question.model_validate_json(line))
    except ValidationError as error:
        return _failure(given, BadInput.code, "; ".join(_problem(one) for one in error.errors()))
    except AssistError as error:
        return _failure(given, error.code, error.message)
    except Exception as error:
        logger.exception("a question of the batch failed")
        return _failure(given, AssistError.code, repr(error))


async def _ask(question: Question) -> dict[str, Any]:
    """Run one turn to its end and return its terminal event's fields with the ids beside them."""
    auth = await db.call(_caller, question.username)
    send = service.Send(
        conversation_id=question.conversation_id or f"ask-{uuid.uuid4().hex}",
        client_id=uuid.uuid4().hex,
        text=question.text,
        channel=CHANNEL,
        history=question.history,
    )
    started = await service.start_turn(auth, send)
    terminal = await _last_event(auth, started.turn_id)
    ids = {"id": question.id, "conversation_id": send.conversation_id, "turn_id": str(started.turn_id)}
    return {**ids, **terminal.model_dump(mode="json")}


async def _last_event(auth: AuthContext, turn_id: uuid.UUID) -> Event:
    last: Event | None = None
    async for event in service.watch(auth, turn_id):
        last = last if isinstance(event, Heartbeat) else event
    if last is None:
        raise DependencyUnavailable
    return last


def _caller(username: str) -> AuthContext:
    if not username:
        return AuthContext(visitor_key=VISITOR_KEY)
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise NotFound(f"There is no active user {username!r}.", field="as")
    return auth_context(user)


def _id_of(line: str) -> object:
    try:
        given = json.loads(line)
    except ValueError:
        return None
    return given.get("id") if isinstance(given, dict) else None


def _problem(error: Any) -> str:
    return f"{'.'.join(str(part) for part in error['loc']) or 'line'}: {error['msg']}"


def _failure(given: object, code: str, message: str) -> dict[str, Any]:
    return {"id": given, "error": {"code": code, "message": message}}


def _as_json(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)


def _for_people(answer: dict[str, Any]) -> str:
    """The answer and, under it, its sources: number, title, clause, and since when."""
    if answer["type"] == "error":
        return str(answer["message"])
    sources = [_source(citation) for citation in answer.get("citations", ())]
    return "\n".join([str(answer.get("answer", "")), *([""] if sources else []), *sources])


def _source(citation: dict[str, Any]) -> str:
    since = f", from {citation['effective_from']}" if citation["effective_from"] else ""
    clause = f", {citation['clause']}" if citation["clause"] else ""
    return f"[{citation['n']}] {citation['title']}{clause}{since}"
