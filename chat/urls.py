"""Addresses of the chat's pages and fragments."""

from django.urls import path, register_converter

from chat import views
from chat.turn.sends import CLIENT_KEY_PATTERN


class ClientKeyConverter:
    """A conversation's public name, as its client chose it."""

    regex = CLIENT_KEY_PATTERN

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(ClientKeyConverter, "key")

urlpatterns = [
    path("", views.home, name="home"),
    path("visit/", views.visit, name="visit"),
    path("c/<key:conversation_id>/", views.conversation, name="conversation"),
    path("c/<key:conversation_id>/transcript/", views.transcript_fragment, name="transcript"),
    path("c/<key:conversation_id>/turns/<uuid:turn_id>/", views.turn_fragment, name="turn"),
    path("c/<key:conversation_id>/turns/<uuid:turn_id>/stop/", views.stop_turn, name="stop-turn"),
    path("c/<key:conversation_id>/turns/<uuid:turn_id>/continue/", views.continue_turn, name="continue-turn"),
]
