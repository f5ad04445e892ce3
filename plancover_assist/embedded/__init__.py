"""Postgres with pgvector and Valkey from wheels under our own small supervisor: the default, no setup needed.

Importing it needs the standard library alone, starts nothing and loads no Django.
"""

from plancover_assist.embedded.errors import EmbeddedError
from plancover_assist.embedded.holding import Held, hold, hold_servers
from plancover_assist.embedded.layout import Endpoints, Layout, endpoints

__all__ = ["EmbeddedError", "Endpoints", "Held", "Layout", "endpoints", "hold", "hold_servers"]
