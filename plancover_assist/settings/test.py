"""The suite: the embedded default with fast hashing, no pacing and no logs below warnings.

Without a DATA_DIR the suite has a fresh one of its own, so nothing of a developer's is read or changed.
"""

import os
import tempfile

DATA_DIR_IS_FRESH = "DATA_DIR" not in os.environ
os.environ.setdefault("DATA_DIR", f"{tempfile.gettempdir()}/plancover-tests-{os.getpid()}")

# The environment comes first: `base` reads it while it is imported.
from plancover_assist.settings.base import *  # noqa: E402, F403 - settings modules extend each other this way
from plancover_assist.settings.base import LOGGING  # noqa: E402 - see above

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOCAL_MODEL_PACE_MS = 0
LOGGING = {**LOGGING, "root": {"handlers": ["stderr"], "level": "WARNING"}}
