"""Append-only rows: what was done, and how each turn ran."""
