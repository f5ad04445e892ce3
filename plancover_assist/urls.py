"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

from plancover_assist.api import api, docs

urlpatterns = [
    path("accounts/", include("plancover_assist.identity.urls")),
    path("admin/", admin.site.urls),
    path("api/docs", docs, name="api-docs"),
    path("api/", api.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("chat.urls")),
]
