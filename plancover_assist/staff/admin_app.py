"""Django's registration of contrib.admin, with the staff's own site as the one apps register with."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "plancover_assist.staff.site.StaffSite"
