"""The suite: the embedded default with fast hashing, no pacing and no logs below warnings."""

from plancover_assist.settings.base import *  # noqa: F403 - settings modules extend each other this way
from plancover_assist.settings.base import LOGGING

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOCAL_MODEL_PACE_MS = 0
LOGGING = {**LOGGING, "root": {"handlers": ["stderr"], "level": "WARNING"}}
