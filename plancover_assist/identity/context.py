"""The two values that carry identity through a request: who asks, and whose documents they may see.

`AuthContext` travels in the turn's runtime and is never serialised; it holds an opaque handle, not a
token. `TenantScope` is the only thing retrieval accepts, so an unscoped read cannot be written.
"""

from dataclasses import dataclass, field

from django.contrib.auth.models import AnonymousUser

from plancover_assist.identity.models import STAFF_ROLES, Role, User

PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class TenantScope:
    """The documents a caller may see: the public ones and, signed in, those of one tenant."""

    tenant_id: str | None = None

    @property
    def visible(self) -> tuple[str, ...]:
        """Scope names for a query's filter, the tenant's own first."""
        return (PUBLIC,) if self.tenant_id is None else (self.tenant_id, PUBLIC)

    def may_see(self, owner: str) -> bool:
        return owner in self.visible


@dataclass(frozen=True, slots=True)
class AuthContext:
    """Who asks. Built once per request; `visitor_key` identifies a signed-out browser session."""

    user_id: int | None = None
    username: str = ""
    role: Role | None = None
    tenant_id: str | None = None
    member_id: str = field(default="", repr=False)
    credential_ref: str = field(default="", repr=False)
    visitor_key: str = field(default="", repr=False)

    @property
    def signed_in(self) -> bool:
        return self.user_id is not None

    @property
    def is_staff(self) -> bool:
        return self.role in STAFF_ROLES

    @property
    def scope(self) -> TenantScope:
        return TenantScope(self.tenant_id)


def auth_context(user: User | AnonymousUser, *, visitor_key: str = "") -> AuthContext:
    """Return the caller's context; an inactive or anonymous user is a signed-out visitor."""
    if not isinstance(user, User) or not user.is_active:
        return AuthContext(visitor_key=visitor_key)
    return AuthContext(
        user_id=user.pk,
        username=user.username,
        role=Role(user.role),
        tenant_id=user.tenant_id,
        member_id=user.member_id,
        credential_ref=user.credential_ref,
    )
