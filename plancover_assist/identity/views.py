"""The sign-in page. The demo's people are one press away, and only in the demo."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import LoginView

from plancover_assist.identity.demo import DEMO_TENANTS, DEMO_USERS
from plancover_assist.identity.models import Role


class SignInView(LoginView):
    """contrib.auth's sign-in; somebody already signed in is sent on."""

    template_name = "registration/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"demo_people": _demo_people(), "hide_sign_in": True}


def _demo_people() -> list[dict[str, str]]:
    if not settings.DEMO:
        return []
    employers = {tenant.id: tenant.name for tenant in DEMO_TENANTS}
    return [
        {
            "username": person.username,
            "password": person.password,
            "about": ", ".join(filter(None, [Role(person.role).label, employers.get(person.tenant or "")])),
        }
        for person in DEMO_USERS
    ]
