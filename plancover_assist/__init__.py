"""PlanCover Assist: an assistant for members of employer health cover."""

import sys

OLDEST_PYTHON = (3, 11)

# Every way in passes here first, so an old interpreter gets a sentence instead of a traceback.
if sys.version_info < OLDEST_PYTHON:
    raise SystemExit(f"PlanCover Assist needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
