"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

from plancover_assist.api import api, docs
from plancover_assist.health import healthz, readyz
from retrieval.selectors import find_live_generation


def has_live_index() -> bool:
    """Without an index every question would be abstained from."""
    return find_live_generation() is not None


urlpatterns = [
    path("accounts/", include("plancover_assist.identity.urls")),
    path("admin/", admin.site.urls),
    path("api/docs", docs, name="api-docs"),
    path("api/", api.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz(index=has_live_index), name="readyz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("chat.urls")),
]
