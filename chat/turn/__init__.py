"""The turn engine: one question, worked node by node to exactly one ending. It knows no transport."""
