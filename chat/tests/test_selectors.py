"""Reads see what is the caller's own; somebody else's reads like an unknown one."""

from uuid import UUID, uuid4

import pytest

from chat import selectors
from chat.models import Message
from chat.tests.factories import ConversationFactory, EndedTurnFactory, MessageFactory, TurnFactory
from plancover_assist.errors import NotFound
from plancover_assist.identity.context import AuthContext, auth_context
from plancover_assist.identity.tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def refusal(auth: AuthContext, turn_id: UUID) -> str:
    """What the caller is told about a turn that is not theirs."""
    with pytest.raises(NotFound) as told:
        selectors.get_turn(auth, turn_id)
    return repr((told.value.code, told.value.message, told.value.field))


class TestATurn:
    def test_is_found_by_its_owner(self) -> None:
        turn = TurnFactory.create()
        owner = turn.conversation.owner
        assert owner is not None
        assert selectors.get_turn(auth_context(owner), turn.pk) == turn

    def test_of_somebody_else_reads_like_an_unknown_one(self) -> None:
        turn, stranger = TurnFactory.create(), auth_context(UserFactory.create())
        assert refusal(stranger, turn.pk) == refusal(stranger, uuid4())

    def test_of_a_colleague_of_the_same_employer_is_not_found(self) -> None:
        turn = TurnFactory.create()
        colleague = UserFactory.create(tenant=turn.conversation.tenant)
        with pytest.raises(NotFound):
            selectors.get_turn(auth_context(colleague), turn.pk)

    def test_of_a_visitor_belongs_to_that_browser_alone(self) -> None:
        turn = TurnFactory.create(conversation=ConversationFactory.create(owner=None, visitor_key="one"))
        assert selectors.get_turn(AuthContext(visitor_key="one"), turn.pk) == turn
        for other in (AuthContext(visitor_key="two"), AuthContext()):
            with pytest.raises(NotFound):
                selectors.get_turn(other, turn.pk)


class TestAConversation:
    def test_is_listed_for_its_owner_alone(self) -> None:
        mine, _ = ConversationFactory.create(), ConversationFactory.create()
        assert mine.owner is not None
        assert list(selectors.list_conversations(auth_context(mine.owner))) == [mine]

    def test_may_share_its_key_with_one_of_another_owner(self) -> None:
        mine, other = (
            ConversationFactory.create(client_key="same"),
            ConversationFactory.create(client_key="same"),
        )
        assert other.owner is not None
        assert selectors.get_conversation(auth_context(other.owner), "same") == other != mine


class TestAHistory:
    def test_holds_the_latest_utterances_before_the_turn_oldest_first(self) -> None:
        thread = ConversationFactory.create()
        past = EndedTurnFactory.create(conversation=thread)
        MessageFactory.create(conversation=thread, turn=past, text="first")
        MessageFactory.create(conversation=thread, turn=past, text="second", author=Message.Author.ASSISTANT)
        now = TurnFactory.create(conversation=thread)
        MessageFactory.create(conversation=thread, turn=now, text="third")
        found = selectors.list_history(turn_id=now.pk, conversation_id=thread.pk, limit=10)
        assert [(one.by_member, one.text) for one in found] == [(True, "first"), (False, "second")]
        latest = selectors.list_history(turn_id=now.pk, conversation_id=thread.pk, limit=1)
        assert [one.text for one in latest] == ["second"]
