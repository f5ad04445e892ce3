"""The turn log: every numbered event of a turn, read from a cursor by whoever watches it."""
