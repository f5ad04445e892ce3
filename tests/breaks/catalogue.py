"""One named fault for each thing that must never break unnoticed, with the tests that guard it.

A fault is a change of one place in one file, of the kind that a hurried edit makes. `scripts/named_breaks.py`
plants them; nothing else uses this module.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Break:
    """A fault: `old` stands exactly once in the file at `path` and becomes `new`; `guards` must then fail."""

    name: str
    layer: str
    path: str
    old: str
    new: str
    guards: tuple[str, ...]

    def applied_to(self, text: str) -> str:
        """Return the file's text with the fault. Raises `ValueError` when its place is not found once."""
        if (found := text.count(self.old)) != 1:
            raise ValueError(f"{self.name}: {self.old!r} stands {found} times in {self.path}")
        return text.replace(self.old, self.new)


_SEARCH = ("retrieval/tests/test_search.py",)
_TURN = ("chat/turn/tests/test_turn.py",)

BREAKS: tuple[Break, ...] = (
    Break(
        name="tenant-filter-dropped",
        layer="retrieval",
        path="retrieval/selectors.py",
        old="generation_id = %(generation)s AND owner = ANY(%(owners)s)",
        new="generation_id = %(generation)s",
        guards=_SEARCH,
    ),
    Break(
        name="foreign-row-let-through",
        layer="retrieval",
        path="retrieval/search.py",
        old="if not scope.may_see(hit.owner):",
        new="if not hit.owner:",
        guards=_SEARCH,
    ),
    Break(
        name="validity-filter-dropped",
        layer="retrieval",
        path="retrieval/selectors.py",
        old="AND effective_from <= %(on)s AND (effective_to IS NULL OR effective_to >= %(on)s)",
        new="",
        guards=_SEARCH,
    ),
    Break(
        name="gate-always-passes",
        layer="retrieval",
        path="retrieval/gate.py",
        old="Verdict.PASSED if score >= threshold else Verdict.LOW_CONFIDENCE",
        new="Verdict.PASSED",
        guards=("retrieval/tests/test_ranking.py",),
    ),
    Break(
        name="acute-guardrail-off",
        layer="turn",
        path="chat/turn/nodes/guardrail_pre.py",
        old="acute = find_acute(question)",
        new="acute = find_acute(question[:0])",
        guards=_TURN,
    ),
    Break(
        name="any-node-may-speak",
        layer="turn",
        path="chat/turn/transcript.py",
        old="if self.node not in SPEAKERS:",
        new="if not self.node:",
        guards=("chat/turn/tests/test_runner.py",),
    ),
    Break(
        name="event-number-repeated",
        layer="turn",
        path="chat/turn/emitter.py",
        old="        self.last_seq = event.seq\n",
        new="",
        guards=("chat/turn/tests/test_emitter.py",),
    ),
    Break(
        name="citation-numbers-shifted",
        layer="turn",
        path="chat/turn/context.py",
        old="tuple(_citation(n, item) for n, item in enumerate(evidence, start=1))",
        new="tuple(_citation(n, item) for n, item in enumerate(evidence, start=2))",
        guards=("chat/turn/tests/test_context.py",),
    ),
    Break(
        name="abstention-shown-as-text",
        layer="turn",
        path="chat/turn/abstention.py",
        old="return ABSTAIN.startswith(bare)",
        new="return not bare",
        guards=("chat/turn/tests/test_abstention.py",),
    ),
    Break(
        name="owner-check-dropped",
        layer="chat",
        path="chat/selectors.py",
        old='Turn.objects.filter(owned_by(auth, prefix="conversation__"), pk=turn_id)',
        new="Turn.objects.filter(pk=turn_id)",
        guards=("chat/tests/test_selectors.py",),
    ),
    Break(
        name="repeated-send-not-recognised",
        layer="chat",
        path="chat/services/sends.py",
        old="Turn.objects.filter(conversation=conversation, client_id=send.client_id)",
        new="Turn.objects.filter(conversation=conversation, client_id=send.text)",
        guards=("chat/turn/tests/test_sends.py",),
    ),
    Break(
        name="stored-answer-differs-from-shown",
        layer="chat",
        path="chat/services/boundaries.py",
        old='"text": ending.answer,',
        new='"text": ending.answer.strip() + " ",',
        guards=_TURN,
    ),
    Break(
        name="markdown-sanitiser-off",
        layer="web",
        path="chat/markup.py",
        old="nh3.clean(_parser().render(text), tags=set(TAGS), attributes={}, url_schemes=set())",
        new='MarkdownIt("commonmark").render(text)',
        guards=("chat/tests/test_markup.py",),
    ),
    Break(
        name="content-policy-weakened",
        layer="settings",
        path="plancover_assist/settings/security.py",
        old='"script-src": [SELF],',
        new='"script-src": [SELF, "\'unsafe-inline\'"],',
        guards=("chat/tests/test_views.py",),
    ),
    Break(
        name="fence-not-escaped",
        layer="model",
        path="plancover_assist/fencing.py",
        old="\\n{neutralise(text)}\\n",
        new="\\n{text}\\n",
        guards=("plancover_assist/tests/test_fencing.py",),
    ),
    Break(
        name="offline-model-never-abstains",
        layer="model",
        path="plancover_assist/llm/local/model.py",
        old="floor = FLOOR_WITHOUT_EMBEDDER if embedder is None else FLOORS[prompt.lang]",
        new="floor = -1.0",
        guards=("plancover_assist/llm/tests",),
    ),
    Break(
        name="identity-number-left-in-logs",
        layer="text",
        path="plancover_assist/telemetry.py",
        old="{redact(super().format(record))}",
        new="{super().format(record)}",
        guards=("plancover_assist/tests/test_telemetry.py",),
    ),
)
