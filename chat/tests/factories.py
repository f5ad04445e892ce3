"""Conversations, messages and turns for tests, as the services would leave them."""

from datetime import UTC, datetime

import factory
from factory.django import DjangoModelFactory

from chat.models import Action, Conversation, Escalation, EscalationReason, Message, Turn, TurnStatus
from plancover_assist.identity.tests.factories import UserFactory


class ConversationFactory(DjangoModelFactory[Conversation]):
    """A member's thread; pass `owner=None, visitor_key="…"` for a visitor's."""

    class Meta:
        model = Conversation

    owner = factory.SubFactory(UserFactory)
    tenant = factory.LazyAttribute(lambda thread: thread.owner.tenant if thread.owner else None)
    client_key = factory.Sequence(lambda n: f"thread-{n}")


class TurnFactory(DjangoModelFactory[Turn]):
    """A turn that has just begun."""

    class Meta:
        model = Turn

    conversation = factory.SubFactory(ConversationFactory)
    client_id = factory.Sequence(lambda n: f"send-{n}")


class EndedTurnFactory(TurnFactory):
    """An answered turn; an ended turn always holds its terminal event."""

    status = TurnStatus.ENDED
    action = Action.ANSWERED
    terminal = factory.LazyFunction(lambda: {"type": "final", "answer": "The limit is ₹40,000."})
    ended_at = factory.LazyFunction(lambda: datetime.now(UTC))


class MessageFactory(DjangoModelFactory[Message]):
    """A member's question in a thread."""

    class Meta:
        model = Message

    conversation = factory.SubFactory(ConversationFactory)
    author = Message.Author.MEMBER
    text = "What is the cataract limit per eye?"
    lang = "en"


class EscalationFactory(DjangoModelFactory[Escalation]):
    """An open hand-over of a turn to claims staff."""

    class Meta:
        model = Escalation

    turn = factory.SubFactory(EndedTurnFactory, action=Action.ESCALATED, reason=EscalationReason.NO_RESULTS)
    conversation = factory.SelfAttribute("turn.conversation")
    tenant = factory.SelfAttribute("conversation.tenant")
    reference = factory.Sequence(lambda n: f"ESC-T{n:05d}")
    reason = EscalationReason.NO_RESULTS
    question = "What is the weather on the moon?"
