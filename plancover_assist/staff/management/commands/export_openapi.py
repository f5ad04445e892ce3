"""`manage.py export_openapi`: write the API's description to docs/openapi.json, which a test compares."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from plancover_assist.api import openapi_text


class Command(BaseCommand):
    help = "Write the API's OpenAPI description. Example: manage.py export_openapi"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", default=str(settings.BASE_DIR / "docs" / "openapi.json"))

    def handle(self, *_args: Any, **options: Any) -> None:
        out = Path(options["out"])
        out.write_text(openapi_text(), encoding="utf-8")
        self.stdout.write(
            f"Wrote {len(json.loads(out.read_text(encoding='utf-8'))['paths'])} paths to {out}."
        )
