"""Where the product keeps its data: a deployment's own servers, or the embedded ones of the data folder.

Reads the environment and computes; nothing is connected to or started here.
"""

from pathlib import Path
from typing import Any

import environ

from plancover_assist.embedded import endpoints

POOL_WAIT_SECONDS = 5


def is_embedded(env: environ.Env) -> bool:
    """Whether nobody named a database, so that the embedded servers are used."""
    return not env.str("DATABASE_URL", default="")


def read_database(env: environ.Env, data_dir: Path, *, pool_size: int) -> dict[str, Any]:
    """Django's entry for the one database; `pool_size` connections at most, 0 for no pool."""
    url = endpoints(data_dir).database_url if is_embedded(env) else env.str("DATABASE_URL")
    entry: dict[str, Any] = env.db_url_config(url)
    options = entry.setdefault("OPTIONS", {})
    # libpq writes a socket's folder as ?host=; Django wants it where every other host stands.
    entry["HOST"] = options.pop("host", entry["HOST"])
    if pool_size:
        options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": POOL_WAIT_SECONDS}
    # One transaction per service, never per request; with a pool any other age is refused.
    return entry | {"ATOMIC_REQUESTS": False, "CONN_MAX_AGE": 0}


def read_redis_url(env: environ.Env, data_dir: Path) -> str:
    """Address of Redis; empty for none, which an empty REDIS_URL or a lone DATABASE_URL asks for."""
    default = endpoints(data_dir).redis_url if is_embedded(env) else ""
    return str(env.str("REDIS_URL", default=default))
