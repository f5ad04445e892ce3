"""Django's registration of the identity kernel."""

from django.apps import AppConfig


class IdentityConfig(AppConfig):
    name = "plancover_assist.identity"
    label = "identity"
    verbose_name = "Tenants and users"
