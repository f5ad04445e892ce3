"""`manage.py ask` over the real engine, with scripted search and model in it."""

import json
from collections.abc import Callable
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.models import TurnTrace
from chat.management.commands.ask import Command
from chat.models import Conversation, Message
from chat.turn.engine import Engine
from chat.turn.tests.support import QUESTION, WORDS, ScriptedSearch, make_engine
from plancover_assist.identity.context import TenantScope
from plancover_assist.identity.models import User
from plancover_assist.identity.tests.factories import UserFactory
from plancover_assist.llm.types import Models

pytestmark = pytest.mark.django_db(transaction=True)


class Asking:
    """The command with a scripted search and model; `built` are the engines it made."""

    def __init__(self) -> None:
        self.built: list[Engine] = []
        self.today: Callable[[], date] = lambda: date(2026, 11, 30)

    def build(self, _: Models) -> Engine:
        self.built.append(make_engine())
        self.built[-1].today = self.today
        return self.built[-1]

    def __call__(self, *arguments: str) -> tuple[str, str]:
        """Run the command; return what it wrote to standard output and standard error."""
        out, err = StringIO(), StringIO()
        call_command(Command(build=self.build), *arguments, stdout=out, stderr=err)
        return out.getvalue(), err.getvalue()

    def batch(self, folder: Path, *lines: str) -> list[dict[str, Any]]:
        questions, answers = folder / "in.jsonl", folder / "out.jsonl"
        questions.write_text("\n".join(lines), encoding="utf-8")
        self("--batch", str(questions), "--out", str(answers))
        return [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]

    @property
    def scope(self) -> TenantScope:
        """Whose papers the one search of the one engine was for."""
        (engine,) = self.built
        assert isinstance(engine.search, ScriptedSearch)
        (query,) = engine.search.queries
        return query.scope


@pytest.fixture
def ask() -> Asking:
    return Asking()


class TestAskingOneQuestion:
    def test_prints_one_json_object_with_the_terminal_event_and_its_ids(self, ask: Asking) -> None:
        out, _ = ask("--json", QUESTION)

        answer = json.loads(out)
        assert out.count("\n") == 1
        assert (answer["type"], answer["action"], answer["answer"]) == ("final", "answered", "".join(WORDS))
        assert {"id", "conversation_id", "turn_id", "citations", "timings"} <= answer.keys()
        assert "₹" in out

    def test_prints_the_answer_and_its_sources_for_people(self, ask: Asking) -> None:
        out, _ = ask(QUESTION)

        assert out == f"{''.join(WORDS)}\n\n[1] Policy schedule, 4.7, from 2026-09-01\n"

    def test_asks_as_the_user_named(self, ask: Asking) -> None:
        user = UserFactory.create()
        ask("--as", user.username, QUESTION)

        assert ask.scope.tenant_id == user.tenant_id

    def test_asks_signed_out_without_one(self, ask: Asking) -> None:
        ask(QUESTION)

        assert ask.scope.tenant_id is None

    def test_carries_a_conversation_on(self, ask: Asking) -> None:
        ask("--conversation", "mine", QUESTION)
        ask("--conversation", "mine", QUESTION)

        assert Conversation.objects.count() == 1
        assert Message.objects.count() == 4

    def test_waits_for_the_trace(self, ask: Asking) -> None:
        ask(QUESTION)

        assert TurnTrace.objects.get().channel == "ask"

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("--as", "nobody", "What?"), "no active user"),
            ((" ",), "message_empty"),
            (("x" * 8001,), "message_too_long"),
            ((), "Give either"),
            (("What?", "--batch", "in", "--out", "out"), "Give either"),
            (("--batch", "in"), "Give either"),
            (("--batch", "/nowhere/in", "--out", "/nowhere/out"), "No such file"),
        ],
    )
    def test_says_in_one_sentence_what_is_wrong(
        self, ask: Asking, arguments: tuple[str, ...], told: str
    ) -> None:
        with pytest.raises(CommandError, match=told):
            ask(*arguments)

    def test_refuses_a_user_who_may_not_sign_in(self, ask: Asking) -> None:
        user: User = UserFactory.create(is_active=False)

        with pytest.raises(CommandError, match="no active user"):
            ask("--as", user.username, "What?")


class TestAskingABatch:
    def test_answers_each_line_in_its_own_conversation(self, ask: Asking, tmp_path: Path) -> None:
        answers = ask.batch(tmp_path, *(json.dumps({"id": n, "text": QUESTION}) for n in ("a", "b")))

        assert [answer["id"] for answer in answers] == ["a", "b"]
        assert [answer["action"] for answer in answers] == ["answered", "answered"]
        assert len({answer["conversation_id"] for answer in answers}) == 2

    def test_takes_the_history_and_the_user_of_a_line(self, ask: Asking, tmp_path: Path) -> None:
        user = UserFactory.create()
        past = [{"role": "user", "content": "hi?"}, {"role": "assistant", "content": "hello."}]
        line = json.dumps({"id": 1, "text": QUESTION, "as": user.username, "history": past})
        ask.batch(tmp_path, line)

        assert Message.objects.filter(from_client=True).count() == 2
        assert Conversation.objects.get().owner == user

    @pytest.mark.parametrize(
        ("bad", "given", "code"),
        [
            ("no json", None, "bad_input"),
            ('["a list"]', None, "bad_input"),
            ('{"id": 7}', 7, "bad_input"),
            ('{"id": 7, "text": "What?", "history": "none"}', 7, "bad_input"),
            ('{"id": 7, "text": ""}', 7, "message_empty"),
            ('{"id": 7, "text": "What?", "as": "nobody"}', 7, "not_found"),
        ],
    )
    def test_reports_a_bad_line_in_its_object_and_goes_on(
        self, ask: Asking, tmp_path: Path, bad: str, given: object, code: str
    ) -> None:
        failed, answered = ask.batch(tmp_path, bad, json.dumps({"id": 8, "text": QUESTION}))

        assert (failed["id"], failed["error"]["code"]) == (given, code)
        assert failed["error"]["message"]
        assert answered["action"] == "answered"

    def test_goes_on_after_an_id_that_no_file_can_hold_as_it_is(self, ask: Asking, tmp_path: Path) -> None:
        half = json.dumps({"id": "\ud800", "text": QUESTION})
        first, second = ask.batch(tmp_path, half, json.dumps({"id": "b", "text": QUESTION}))
        assert (first["id"], second["id"]) == ("\ud800", "b")

    def test_reports_even_what_nobody_foresaw(self, ask: Asking, tmp_path: Path) -> None:
        def no_day() -> date:
            raise RuntimeError("unforeseen")

        ask.today = no_day
        (failed,) = ask.batch(tmp_path, json.dumps({"id": 1, "text": QUESTION}))

        assert failed["error"]["code"] == "error"

    def test_takes_a_line_that_holds_more_than_a_question(self, ask: Asking, tmp_path: Path) -> None:
        (answer,) = ask.batch(tmp_path, json.dumps({"id": 1, "text": QUESTION, "route": "general"}))

        assert answer["action"] == "answered"

    def test_keeps_a_question_with_strange_line_ends_whole(self, ask: Asking, tmp_path: Path) -> None:
        text = "What is\u2028the cataract limit\u0085per eye?"
        (answer,) = ask.batch(tmp_path, json.dumps({"id": 1, "text": text}, ensure_ascii=False))

        assert answer["action"] == "answered"
