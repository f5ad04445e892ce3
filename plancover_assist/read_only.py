"""What the admin's lists of records share: nobody writes there, whatever permissions somebody holds.

Mixins for `ModelAdmin` and its inlines; who may look is the permissions' business.
"""

from typing import Any


class Unwritable:
    """Nothing is added or deleted here."""

    def has_add_permission(self, *_args: Any, **_kwargs: Any) -> bool:
        return False

    def has_delete_permission(self, *_args: Any, **_kwargs: Any) -> bool:
        return False


class ReadOnly(Unwritable):
    """Nor is anything changed."""

    def has_change_permission(self, *_args: Any, **_kwargs: Any) -> bool:
        return False
