"""Starting the product loads neither the model libraries nor torch: they cost seconds and much memory."""

import subprocess
import sys

import pytest

from tests.architecture.source import ROOT

# The whole of what a web process loads before its first request: apps, routes, sockets and commands.
_START = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "plancover_assist.settings.test"
import plancover_assist.asgi
import plancover_assist.urls
import chat.routing
from importlib import import_module
from django.apps import apps
from django.core.management import get_commands, load_command_class
ours = {config.name for config in apps.get_app_configs()} & {"audit", "chat", "retrieval", "tools"}
for name, app in get_commands().items():
    if app in ours:
        load_command_class(app, name)
print(" ".join(sorted(module.split(".")[0] for module in sys.modules)))
"""
_HEAVY = {"litellm", "torch", "sentence_transformers", "transformers", "openai", "boto3"}


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """Top-level modules of a process that has started."""
    done = subprocess.run(
        [sys.executable, "-c", _START], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


class TestStartUp:
    def test_loads_the_product(self, loaded: set[str]) -> None:
        assert {"django", "channels", "ninja", "chat", "retrieval"} <= loaded

    def test_leaves_the_model_libraries_alone(self, loaded: set[str]) -> None:
        assert loaded & _HEAVY == set()
