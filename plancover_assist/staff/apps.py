"""Django's registration of the staff app."""

from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "plancover_assist.staff"
    label = "staff"
    verbose_name = "Staff"
