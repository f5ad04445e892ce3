"""Arithmetic on the bounds of a turn: pure functions, and the engine's own times in seconds."""

from plancover_assist.errors import BudgetSpent
from plancover_assist.settings.bounds import Bounds

LEASE_SECONDS = 15  # a turn whose process died is taken over after this
RENEW_SECONDS = 5  # between renewals while one node runs long
WATCH_TICK_SECONDS = 0.5  # how often a run looks whether anybody still watches
SWEEP_SECONDS = 10  # between two looks for lost turns
SWEEP_BATCH = 8  # lost turns one sweep takes over, so that a restart does not drown
MAX_ATTEMPTS = 3  # runs of a turn before it is handed over instead of tried again
MAX_AGE_SECONDS = 600  # a lost turn older than this is handed over: nobody waits for it any more


def check_backstop(nodes_run: int, bounds: Bounds) -> None:
    """Raise `BudgetSpent` when a run has executed all the nodes it may; only a bug gets here."""
    if nodes_run >= bounds.GRAPH_RECURSION_LIMIT:
        raise BudgetSpent


def check_model_calls(calls: int, bounds: Bounds) -> None:
    """Raise `BudgetSpent` when no model call is left for the answer; routes must prevent it."""
    if calls >= bounds.GRAPH_MAX_MODEL_CALLS:
        raise BudgetSpent


def past_recovery(*, attempt: int, age_seconds: float) -> bool:
    """Tell whether a lost turn is handed over to people instead of being tried once more."""
    return attempt > MAX_ATTEMPTS or age_seconds > MAX_AGE_SECONDS
