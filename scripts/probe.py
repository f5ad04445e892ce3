"""The container's health check: exits 0 when the web process beside it answers /healthz.

Sends a host name that the product is told to accept, since it refuses every other one.
"""

import os
import sys
import urllib.request

SECONDS = 4.0


def main() -> int:
    """Ask once; an error status or silence raises, which is exit code 1."""
    host = os.environ.get("ALLOWED_HOSTS", "127.0.0.1").split(",")[0].lstrip(".")
    address = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/healthz"
    urllib.request.urlopen(urllib.request.Request(address, headers={"Host": host}), timeout=SECONDS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
