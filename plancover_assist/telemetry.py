"""Logs that can be followed and that hold no personal text.

Every line carries the turn it belongs to, and passes the redaction patterns last. Of an error only its type,
its path through the code and the first line of its message are written: what follows quotes rows and values
(Postgres' DETAIL, Pydantic's inputs). This module must not import models or decide anything.
"""

import logging
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from types import TracebackType

from plancover_assist.text.redaction import redact

turn_id_var: ContextVar[str] = ContextVar("turn_id", default="-")

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class RedactingFormatter(logging.Formatter):
    """Formats a record, prefixes its turn, and masks identifiers of people."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's own name
        """Return the error and what led to it, oldest first, without what their messages quote."""
        return "\n".join(_told(error) for error in reversed(list(_chain(ei[1]))))

    def format(self, record: logging.LogRecord) -> str:
        return f"turn={turn_id_var.get()} {redact(super().format(record))}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _told(error: BaseException) -> str:
    path = "".join(traceback.format_tb(error.__traceback__))
    first_line = str(error).partition("\n")[0]
    return f"{path}{type(error).__module__}.{type(error).__qualname__}: {first_line}"
