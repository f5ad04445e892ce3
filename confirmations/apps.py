"""Django's registration of the app."""

from django.apps import AppConfig


class ConfirmationsConfig(AppConfig):
    name = "confirmations"
    verbose_name = "Confirmations"
