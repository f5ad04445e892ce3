"""Signing in and out."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from plancover_assist.identity.views import SignInView

urlpatterns = [
    path("login/", SignInView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
