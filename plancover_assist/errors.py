"""Every error that may reach a member, a client or an operator, with its stable code.

Sorted by who must react: the caller (`BadInput` and its children), the visitor (`NotSignedIn`,
`NotAllowed`), an operator (`Misconfigured`), or nobody but the turn itself (`DependencyUnavailable`).
A pause is not an error. This module imports nothing of the project.
"""

from typing import ClassVar


class AssistError(Exception):
    """Base of all anticipated errors.

    Attributes:
        code: stable machine-readable name, never renamed once published.
        status: HTTP status used when the error happens before the first byte of an answer.
        message: one sentence for the person who caused it.
        field: the input field at fault, when one is.
        retry_after: seconds until the same call may succeed, when that is known.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    default_message: ClassVar[str] = "Something went wrong on our side."

    def __init__(
        self, message: str = "", *, field: str | None = None, retry_after: int | None = None
    ) -> None:
        self.message = message or self.default_message
        self.field = field
        self.retry_after = retry_after
        super().__init__(self.message)


class BadInput(AssistError):
    """The request itself is wrong; repeating it unchanged cannot help."""

    code = "bad_input"
    status = 422
    default_message = "That request could not be understood."


class EmptyMessage(BadInput):
    code = "message_empty"
    default_message = "Please type a question first."


class MessageTooLong(BadInput):
    code = "message_too_long"
    default_message = "A message may have at most 8,000 characters."


class MalformedFrame(BadInput):
    code = "malformed_frame"
    status = 400
    default_message = "That frame is not one this socket understands."


class NotFound(AssistError):
    """Unknown, or somebody else's: the two are indistinguishable on purpose."""

    code = "not_found"
    status = 404
    default_message = "There is nothing here under that name."


class MethodNotAllowed(AssistError):
    code = "method_not_allowed"
    status = 405
    default_message = "This address does not take such a request."


class Conflict(AssistError):
    code = "conflict"
    status = 409
    default_message = "Something else is already in progress here."


class TurnInProgress(Conflict):
    code = "turn_in_progress"
    default_message = "Please wait for the current answer, or stop it first."


class NotSignedIn(AssistError):
    code = "not_signed_in"
    status = 401
    default_message = "Please sign in first."


class NotAllowed(AssistError):
    code = "not_allowed"
    status = 403
    default_message = "Your role does not allow this."


class CsrfFailed(NotAllowed):
    code = "csrf_failed"
    default_message = "The page is too old for this. Please reload it and try again."


class TooLarge(BadInput):
    code = "too_large"
    status = 413
    default_message = "That is more than one request may carry."


class RateLimited(AssistError):
    code = "rate_limited"
    status = 429
    default_message = "That was too quick. Please wait a moment."


class Misconfigured(AssistError):
    """An operator must change something before the product can start or go on."""

    code = "misconfigured"
    default_message = "The product is not configured correctly."


class DependencyUnavailable(AssistError):
    """Something outside the process did not answer in time or at all."""

    code = "dependency_unavailable"
    status = 503
    default_message = "A part of the service is not available right now."


class ModelUnavailable(DependencyUnavailable):
    """Every provider of a role failed."""

    code = "model_unavailable"


class ModelInterrupted(DependencyUnavailable):
    """A model failed after its first text; what it said is kept and the turn ends incomplete."""

    code = "model_interrupted"


class BudgetSpent(AssistError):
    """A bound of the turn was reached where its route should have ended it."""

    code = "budget_spent"


class ForeignRow(AssistError):
    """A read returned a row outside the caller's scope: a bug, never an answer."""

    code = "foreign_row"
