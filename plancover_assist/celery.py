"""Work outside turns, done by worker processes: on a clock, or handed over by a service after its commit.

A turn never runs here: its text would have to travel through a second system, and a stop as well. Tasks hold
no rules; they call what a management command or a service does. Async code and pooled connections stay out.
"""

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plancover_assist.settings.base")

app = Celery("plancover_assist")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.task(name="clear_expired_sessions")
def clear_expired_sessions() -> None:
    """Delete sessions that have run out: every visitor who sends something leaves one.

    `make run` has no worker: there each start clears them.
    """
    from django.core.management import call_command

    call_command("clearsessions")


app.conf.beat_schedule = {
    "clear-expired-sessions": {"task": "clear_expired_sessions", "schedule": crontab(hour="3", minute="30")},
}
