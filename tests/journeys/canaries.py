"""Strings that occur nowhere else, planted where one employer's or one person's words may be kept.

A handle may be typed by anybody who probes; the canary beside it is never typed, so that seeing it in any
answer means that somebody else's words got out.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from retrieval.tests.papers import write

TENANTS = {"ten_a": "Kaveri Software Services", "ten_b": "Bhatti Precision Castings"}
SUBJECTS = {
    "cataract surgery": "for each eye",
    "maternity": "for a normal delivery",
    "room rent": "for each day",
    "ambulance": "for each admission",
}


@dataclass(frozen=True, slots=True)
class Planted:
    """One employer's paper about one subject; `canaries` stand in its id, title, heading, text and table."""

    tenant: str
    subject: str
    handle: str
    doc_id: str
    canaries: tuple[str, ...]


def word(*parts: str) -> str:
    """Return a word that no other parts give and no language has."""
    return "ZQ" + hashlib.sha256(" ".join(parts).encode()).hexdigest()[:12].upper()


def shown_in(body: bytes, canaries: set[str]) -> set[str]:
    """Return the canaries that stand in a response, however it writes them."""
    lowered = body.lower()
    return {canary for canary in canaries if canary.lower().encode() in lowered}


def plant(corpus: Path) -> tuple[Planted, ...]:
    """Write the papers of both employers, and a public one that tells nobody's figure."""
    public = "\n\n".join(
        f"## {subject.capitalize()}\n\nThe limit for {subject} {unit} differs from employer to employer."
        for subject, unit in SUBJECTS.items()
    )
    write(corpus, "P-LIMITS", f"# Limits in general\n\n{public}")
    return tuple(_plant(corpus, tenant, subject) for tenant in TENANTS for subject in SUBJECTS)


def _plant(corpus: Path, tenant: str, subject: str) -> Planted:
    in_id, title, heading, text, row = (
        word(tenant, subject, place) for place in "id title head text row".split()
    )
    handle = word(tenant, subject, "handle")
    doc_id = f"{tenant[-1].upper()}-{in_id}"
    body = f"""# Policy of {TENANTS[tenant]}

## 1 Limit for {subject} {heading}

### 1.1 The limit for {subject}

The limit for {subject} is ₹12,500 {SUBJECTS[subject]} at {TENANTS[tenant]}. The register keeps it under
{handle} {text}.

## 2 Table of {subject}

### 2.1 The limit at a glance

| Subject | Limit | Register |
|---|---|---|
| {subject} | ₹12,500 {SUBJECTS[subject]} | {row} |"""
    front = {"tenant": tenant, "doc_type": "schedule", "clause_numbering": "true"}
    write(corpus, doc_id, body, title=f"Schedule of {subject} {title}", **front)
    return Planted(tenant, subject, handle, doc_id, (in_id, title, heading, text, row))
