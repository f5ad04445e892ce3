"""The admin site: who may enter it. What they may see in there is `permissions`' business."""

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from plancover_assist.identity.models import STAFF_ROLES, User


class StaffSite(AdminSite):
    site_title = _("PlanCover Assist staff")
    site_header = _("PlanCover Assist staff")
    index_title = _("What there is to see")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in active people with a staff role: a member with a forgotten staff flag stays out."""
        user = request.user
        if not isinstance(user, User) or not user.is_active:
            return False
        return user.is_superuser or (user.is_staff and user.role in STAFF_ROLES)
