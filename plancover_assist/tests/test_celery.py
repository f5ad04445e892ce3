"""What worker processes do."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from plancover_assist.celery import app, clear_expired_sessions


@pytest.mark.django_db
class TestExpiredSessions:
    def test_are_deleted_and_others_kept(self) -> None:
        now = timezone.now()
        for key, end in (("over", now - timedelta(days=1)), ("open", now + timedelta(days=1))):
            Session.objects.create(session_key=key, session_data="", expire_date=end)
        clear_expired_sessions()
        assert list(Session.objects.values_list("session_key", flat=True)) == ["open"]


class TestTheClock:
    def test_names_tasks_that_exist(self) -> None:
        assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
