"""Django's registration of what belongs to no single app: the checks of our settings."""

from django.apps import AppConfig


class ProductConfig(AppConfig):
    name = "plancover_assist"
    label = "product"
    verbose_name = "PlanCover Assist"

    def ready(self) -> None:
        """Register the checks once every app is loaded, since they ask the apps what they know."""
        from plancover_assist.checks import register_checks

        register_checks()
