"""`python -m tests.bench`: starts the embedded servers if they are not running, measures, prints."""

import os
import sys

import django


def main() -> int:
    """Print every part's lines."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plancover_assist.settings.base")
    django.setup()
    from django.conf import settings

    from plancover_assist import embedded
    from tests.bench import retrieval

    with embedded.hold(settings.DATA_DIR):
        sys.stdout.write("\n".join(retrieval.main()) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
