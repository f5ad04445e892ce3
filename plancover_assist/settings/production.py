"""Deployments: secrets and addresses come from the environment, nothing has a demo default."""

from plancover_assist.settings.base import *  # noqa: F403 - settings modules extend each other this way
from plancover_assist.settings.base import env

DEBUG = False
DEMO = False
SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
ALLOWED_ORIGINS = env.list("ALLOWED_ORIGINS")
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS
ASSIST_TODAY = env.str("ASSIST_TODAY", default="")  # empty: the calendar's own today
REDIS_URL = env.str("REDIS_URL")
DATABASE_URL = env.str("DATABASE_URL")

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31536000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
