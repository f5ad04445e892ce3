"""All that `make check` looks at; each part runs whatever the others said, and the worst code counts.

Holds only the list of parts and how to report them. What each part demands stands in pyproject.toml.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
# Values that only satisfy the deployment settings while Django checks them; nothing connects anywhere.
DEPLOYMENT = {
    "DJANGO_SETTINGS_MODULE": "plancover_assist.settings.production",
    "SECRET_KEY": "checked-but-never-used-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "ALLOWED_HOSTS": "assist.example.com",
    "ALLOWED_ORIGINS": "https://assist.example.com",
    "DATABASE_URL": "postgresql://assist@db.example.com/plancover",
    "REDIS_URL": "redis://redis.example.com:6379/0",
}


@dataclass(frozen=True)
class Part:
    """One check: its name, the command after the interpreter's `-m` or a script, and what it needs set."""

    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)

    def run(self) -> int:
        """Run it from the project's root and return its exit code."""
        return subprocess.run(
            [PYTHON, *self.arguments], cwd=ROOT, env={**os.environ, **self.environment}, check=False
        ).returncode


PARTS = (
    Part("format", ("-m", "ruff", "format", "--check", "--quiet", ".")),
    Part("lint", ("-m", "ruff", "check", "--quiet", ".")),
    Part("types", ("-m", "mypy", ".")),
    Part("imports", ("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo")),
    Part("templates", ("-m", "djlint", "templates", "--check", "--quiet")),
    Part("markup", ("-m", "djlint", "templates", "--lint", "--quiet")),
    Part("migrations", ("manage.py", "makemigrations", "--check", "--dry-run")),
    Part("deployment", ("manage.py", "check", "--deploy", "--fail-level", "WARNING"), DEPLOYMENT),
    Part("docs", ("-m", "pytest", "-q", "-m", "docs", "--no-header")),
)


def main() -> int:
    """Run every part, print one line each, return the worst exit code."""
    worst = 0
    lines = []
    for part in PARTS:
        print(f"--- {part.name}", flush=True)
        began = time.monotonic()
        code = part.run()
        worst = max(worst, abs(code))
        lines.append(f"{'ok  ' if code == 0 else 'FAIL'} {part.name:<12} {time.monotonic() - began:5.1f} s")
    print("\n" + "\n".join(lines))
    return min(worst, 255)


if __name__ == "__main__":
    sys.exit(main())
