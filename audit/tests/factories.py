"""Traces for tests, as a run leaves them."""

import uuid

import factory
from factory.django import DjangoModelFactory

from audit.models import TurnTrace


class TurnTraceFactory(DjangoModelFactory[TurnTrace]):
    """The trace of an answered turn."""

    class Meta:
        model = TurnTrace

    turn_id = factory.LazyFunction(uuid.uuid4)
    channel = "web"
    action = "answered"
