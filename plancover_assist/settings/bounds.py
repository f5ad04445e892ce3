"""Every bound of the product: name, default, unit, and the module that enforces it; "later" where its part is
not built yet.

A bound is read from the environment by its own name, checked for sense at start-up, and frozen once per
turn. README holds the same table; a test compares the two. Nothing else may live here.
"""

from dataclasses import dataclass, fields

import environ

from plancover_assist.errors import Misconfigured

REQUEST_MAX_CHARS = 8000  # characters of one message, fixed by the wire contract
REQUEST_MAX_TURNS = 50  # turns of wire history, fixed by the wire contract
SOCKET_MAX_FRAME_BYTES = 128 * 1024  # bytes of one client frame


@dataclass(frozen=True, slots=True)
class Bounds:
    """The quantities a turn may use. Times in seconds, texts in characters, sizes in items."""

    GRAPH_MAX_TOOL_STEPS: int = 4  # tool rounds a turn; later
    GRAPH_MAX_MODEL_CALLS: int = 6  # model calls a turn, one kept for the answer; chat/turn/limits.py
    GRAPH_RECURSION_LIMIT: int = 24  # nodes a run, reached only by a bug; chat/turn/limits.py
    NODE_TIMEOUT_SECONDS: int = 45  # one node; chat/turn/runner.py
    TOOL_TIMEOUT_SECONDS: int = 10  # one tool call; later
    TOOL_MAX_PARALLEL: int = 3  # tool calls in flight a turn; later
    TOOL_MAX_RESULT_CHARS: int = 4000  # one tool result; later
    MAX_HISTORY_TURNS: int = 10  # earlier turns in a prompt; chat/turn/context.py
    MAX_HISTORY_CHARS: int = 8000  # characters of them; chat/turn/context.py
    MAX_EVIDENCE_CHUNKS: int = 6  # chunks in a prompt; chat/turn/context.py
    MAX_EVIDENCE_CHARS: int = 6000  # characters of them; chat/turn/context.py
    RETRIEVAL_TOP_K: int = 8  # chunks a cross-encoder scores; later
    MAX_RESPONSE_TOKENS: int = 1024  # tokens of an answer; chat/turn/nodes/answer.py
    RATE_LIMIT_MESSAGES_PER_MINUTE: int = 20  # messages a member a minute; later
    CONFIRMATION_TTL_SECONDS: int = 600  # life of a confirmation card; later
    SSE_HEARTBEAT_SECONDS: int = 15  # silence before a heartbeat; chat/turn/service.py
    DRAIN_GRACE_SECONDS: int = 5  # life of a turn that nobody watches; chat/turn/lifecycle.py

    def __post_init__(self) -> None:
        problems = [f"{f.name} must be at least 1" for f in fields(self) if getattr(self, f.name) < 1]
        problems += [text for broken, text in self._relations() if broken]
        if problems:
            raise Misconfigured("; ".join(problems))

    def _relations(self) -> tuple[tuple[bool, str], ...]:
        return (
            (self.GRAPH_MAX_MODEL_CALLS < 2, "GRAPH_MAX_MODEL_CALLS must leave one call for the answer"),
            (
                self.GRAPH_RECURSION_LIMIT <= 2 * self.GRAPH_MAX_TOOL_STEPS + 10,
                "GRAPH_RECURSION_LIMIT must stay above the longest path of the graph",
            ),
            (
                self.TOOL_TIMEOUT_SECONDS >= self.NODE_TIMEOUT_SECONDS,
                "TOOL_TIMEOUT_SECONDS must be shorter than NODE_TIMEOUT_SECONDS",
            ),
            (self.RETRIEVAL_TOP_K > 50, "RETRIEVAL_TOP_K must not exceed the 50 fused candidates"),
        )


def read_bounds(env: environ.Env) -> Bounds:
    """Read every bound from the environment; raises `Misconfigured` naming all that make no sense."""
    return Bounds(**{f.name: env.int(f.name, default=f.default) for f in fields(Bounds)})
