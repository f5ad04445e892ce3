"""The one error of the embedded parts: a sentence that tells a person what to change."""

from plancover_assist.errors import Misconfigured


class EmbeddedError(Misconfigured):
    """The embedded servers cannot start or stop here; the message says why and what helps."""

    code = "embedded_unavailable"
