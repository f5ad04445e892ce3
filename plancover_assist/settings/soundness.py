"""Refuses to go on with settings that the product's own system checks object to.

Django runs its checks before a management command; a web process and the preparation call this instead.
"""

from plancover_assist.errors import Misconfigured

TAG = "assist"  # of every check that looks at our settings


def require_sound_settings() -> None:
    """Raise `Misconfigured` with one sentence for each setting that makes no sense. Needs Django set up."""
    from django.core.checks import run_checks

    found = [message for message in run_checks(tags=[TAG]) if message.is_serious()]
    if found:
        raise Misconfigured(" ".join(sorted(message.msg for message in found)))
