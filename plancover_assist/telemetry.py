"""Logs that can be followed and that hold no personal text.

Every line carries the turn it belongs to, and passes the redaction patterns last. This module must not
import models or decide anything.
"""

import logging
from contextvars import ContextVar

from plancover_assist.text.redaction import redact

turn_id_var: ContextVar[str] = ContextVar("turn_id", default="-")


class RedactingFormatter(logging.Formatter):
    """Formats a record, prefixes its turn, and masks identifiers of people."""

    def format(self, record: logging.LogRecord) -> str:
        return f"turn={turn_id_var.get()} {redact(super().format(record))}"
