"""A transcript reads the same from the database as it did while it streamed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.models import Action, Conversation, EscalationReason, Message, TurnStatus
from chat.presenters import StaffView, TurnView, present_transcript
from chat.selectors import list_messages
from chat.tests.factories import (
    ConversationFactory,
    EndedTurnFactory,
    EscalationFactory,
    MessageFactory,
    TurnFactory,
)

pytestmark = pytest.mark.django_db

CITATION = {"n": 1, "doc_id": "A", "title": "Schedule", "clause": "4.7", "effective_from": "2026-09-01"}
FINAL = {"type": "final", "citations": [CITATION], "provider": "local", "degraded_legs": []}


def entries(thread: Conversation) -> list[TurnView | StaffView]:
    messages = list_messages(thread).select_related("turn__escalation")
    return [entry for day in present_transcript(messages) for entry in day.entries]


def only_turn(thread: Conversation) -> TurnView:
    (entry,) = entries(thread)
    assert isinstance(entry, TurnView)
    return entry


def answered(thread: Conversation, **turn: object) -> None:
    row = EndedTurnFactory.create(conversation=thread, **{"terminal": FINAL, **turn})
    MessageFactory.create(conversation=thread, turn=row)
    MessageFactory.create(
        conversation=thread, turn=row, author=Message.Author.ASSISTANT, text="It is **₹40,000** [1]."
    )


class TestTurn:
    def test_shows_question_and_answer_with_its_sources(self) -> None:
        thread = ConversationFactory.create()
        answered(thread)
        turn = only_turn(thread)
        assert turn.answer is not None
        assert "<strong>₹40,000</strong>" in turn.answer.html
        assert turn.answer.sources[0].clause == "clause 4.7"
        assert turn.answer.by_offline_model

    def test_copies_as_text_with_its_sources(self) -> None:
        thread = ConversationFactory.create()
        answered(thread)
        answer = only_turn(thread).answer
        assert answer is not None
        assert answer.copy_text == "It is **₹40,000** [1].\n\n[1] Schedule, clause 4.7"

    def test_that_runs_has_no_answer_yet(self) -> None:
        thread = ConversationFactory.create()
        MessageFactory.create(conversation=thread, turn=TurnFactory.create(conversation=thread))
        turn = only_turn(thread)
        assert turn.running
        assert turn.answer is None

    def test_that_failed_says_so_and_may_be_tried_again(self) -> None:
        thread = ConversationFactory.create()
        failed = TurnFactory.create(
            conversation=thread,
            status=TurnStatus.INTERRUPTED,
            action=Action.ERROR,
            terminal={"type": "error", "message": "Please try again."},
        )
        MessageFactory.create(conversation=thread, turn=failed)
        turn = only_turn(thread)
        assert turn.ending == "Please try again."
        assert turn.failed
        assert turn.resumable

    @pytest.mark.parametrize(("asked", "said"), [(True, "You stopped"), (False, "was interrupted")])
    def test_that_was_cut_says_by_whom(self, asked: bool, said: str) -> None:
        thread = ConversationFactory.create()
        cut = TurnFactory.create(
            conversation=thread, status=TurnStatus.INTERRUPTED, action=Action.STOPPED, stop_requested=asked
        )
        MessageFactory.create(conversation=thread, turn=cut)
        assert said in only_turn(thread).ending

    def test_in_an_emergency_is_marked_and_names_its_reference(self) -> None:
        thread = ConversationFactory.create()
        answered(thread, action=Action.ESCALATED, reason=EscalationReason.ACUTE)
        EscalationFactory.create(turn=thread.turns.get(), reference="PC-1")
        answer = only_turn(thread).answer
        assert answer is not None
        assert answer.emergency
        assert answer.escalation_reference == "PC-1"

    @pytest.mark.parametrize(
        ("kind", "numbers"),
        [
            ("medical", ["112", "108"]),
            ("self_harm", ["14416", "112"]),
            ("violence", ["112", "181"]),
            ("child", ["112", "1098"]),
        ],
    )
    def test_offers_the_numbers_of_its_kind_of_emergency(self, kind: str, numbers: list[str]) -> None:
        decision = {"guardrail": "hand_over", "outcome": "failed", "detail": f"acute.{kind}"}
        thread = ConversationFactory.create()
        answered(
            thread,
            action=Action.ESCALATED,
            reason=EscalationReason.ACUTE,
            terminal={**FINAL, "guardrail_decisions": [decision]},
        )
        answer = only_turn(thread).answer
        assert answer is not None
        assert [call.number for call in answer.emergency] == numbers

    def test_outside_an_emergency_offers_no_numbers(self) -> None:
        thread = ConversationFactory.create()
        answered(thread)
        answer = only_turn(thread).answer
        assert answer is not None
        assert answer.emergency == ()


class TestTranscript:
    def test_is_parted_by_day(self) -> None:
        thread = ConversationFactory.create()
        for days in (5, 1, 0):
            message = MessageFactory.create(
                conversation=thread, turn=TurnFactory.create(conversation=thread, status="paused")
            )
            at = timezone.now() - timedelta(days=days)
            Message.objects.filter(pk=message.pk).update(created_at=at)
        labels = [day.label for day in present_transcript(list_messages(thread))]
        assert labels[1:] == ["Yesterday", "Today"]
        assert labels[0].endswith(str((timezone.localdate() - timedelta(days=5)).year))

    def test_shows_staff_as_somebody_else(self) -> None:
        thread = ConversationFactory.create()
        MessageFactory.create(conversation=thread, author=Message.Author.STAFF, text="We are on it.")
        assert isinstance(entries(thread)[0], StaffView)

    def test_leaves_out_what_a_client_says_was_said_before(self) -> None:
        thread = ConversationFactory.create()
        MessageFactory.create(conversation=thread, author=Message.Author.ASSISTANT, from_client=True)
        assert entries(thread) == []
