"""Judges of content: what may be answered, and what must be handed over at once."""
