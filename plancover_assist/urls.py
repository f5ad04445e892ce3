"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

from plancover_assist.api import api, docs
from plancover_assist.health import healthz, readyz
from retrieval.startup import encoder_word, index_word

urlpatterns = [
    path("accounts/", include("plancover_assist.identity.urls")),
    path("admin/", admin.site.urls),
    path("api/docs", docs, name="api-docs"),
    path("api/", api.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz(index=index_word, encoder=encoder_word), name="readyz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("chat.urls")),
]
