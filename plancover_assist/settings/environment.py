"""The environment, read through django-environ; a value of the wrong kind is refused in one sentence."""

from collections.abc import Collection

import environ

from plancover_assist.errors import Misconfigured


class Environment(environ.Env):  # type: ignore[misc]  # django-environ carries no types
    """`environ.Env` whose numbers, and choices out of a few, name the variable that is wrong."""

    def int(self, var: str, default: int | environ.NoValue = environ.Env.NOTSET) -> int:
        """Return a whole number. Raises `Misconfigured`."""
        try:
            return int(super().int(var, default=default))
        except ValueError:
            raise Misconfigured(f"{var} is {self.str(var)!r}; it must be a whole number.") from None

    def choice(self, var: str, allowed: Collection[str], *, default: str) -> str:
        """Return one of `allowed`. Raises `Misconfigured`."""
        value = str(self.str(var, default=default))
        if value not in allowed:
            raise Misconfigured(f"{var} is {value!r}; it must be one of {', '.join(allowed)}.")
        return value
