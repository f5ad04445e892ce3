"""What each staff role may do in the admin: roles as data, no rows to drift apart between deployments.

Members and HR administrators have no entry, so their role gives them nothing. What a person's row itself
carries (a superuser's flag, Django's own permissions) counts beside the role; that records stay as they are
whoever looks is the business of their lists, not of this module.
"""

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from plancover_assist.identity.models import Role, User

CASES = frozenset(
    {"chat.view_conversation", "chat.view_message", "chat.view_turn", "chat.view_turnstep"}
    | {"chat.view_escalation"}
)
KNOWLEDGE = frozenset({"retrieval.view_document", "retrieval.view_chunk", "retrieval.view_indexgeneration"})
TRACES = frozenset({"audit.view_turntrace"})
PEOPLE = frozenset({"identity.view_user", "identity.view_tenant"})

ROLE_PERMISSIONS: dict[str, frozenset[str]] = {
    Role.CLAIMS_STAFF: CASES | KNOWLEDGE | {"chat.change_escalation"},
    Role.LEAD: CASES | KNOWLEDGE | TRACES | PEOPLE | {"chat.change_escalation"},
    Role.AUDITOR: CASES | KNOWLEDGE | TRACES | PEOPLE,
    Role.OPERATOR: KNOWLEDGE | TRACES | PEOPLE,
}


class RolePermissions(BaseBackend):
    """Grants what the user's role holds; signs nobody in."""

    def get_user_permissions(self, user_obj: User | AnonymousUser, obj: Model | None = None) -> set[str]:
        if not isinstance(user_obj, User) or not user_obj.is_active or obj is not None:
            return set()
        return set(ROLE_PERMISSIONS.get(user_obj.role, frozenset()))

    def has_module_perms(self, user_obj: User | AnonymousUser, app_label: str) -> bool:
        return any(name.startswith(f"{app_label}.") for name in self.get_user_permissions(user_obj))
