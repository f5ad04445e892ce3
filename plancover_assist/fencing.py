"""The fence around untrusted text: how sources are marked in a prompt, and how a reader finds them again.

Documents and tool results are data. Whatever stands inside a fence cannot close it or open another,
because every look-alike of the delimiters is escaped on the way in. Writing and reading live together so
that they cannot disagree; nothing else in the product knows the format.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape, unescape

SOURCE_TAG = "source"
QUESTION_TAG = "question"
ABSTAIN_TAG = "abstain"
ABSTAIN = f"<{ABSTAIN_TAG}/>"  # a model's whole answer when the sources do not say

# Any spelling that a reader, human or model, could take for one of our tags: spaces, case, full-width
# and look-alike brackets included.
_LOOK_ALIKE = re.compile(rf"[<＜‹〈⟨]\s*(/?)\s*({SOURCE_TAG}|{QUESTION_TAG}|{ABSTAIN_TAG})\b", re.IGNORECASE)
_FENCE = re.compile(
    rf"<(?P<tag>{SOURCE_TAG}|{QUESTION_TAG})(?P<attributes>[^>\n]*)>\n(?P<text>.*?)\n</(?P=tag)>", re.DOTALL
)
_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Fenced:
    """One fenced text as a reader sees it; attribute values and text are unescaped."""

    tag: str
    text: str
    attributes: Mapping[str, str] = field(default_factory=dict)


def neutralise(text: str) -> str:
    """Escape every look-alike of a delimiter; all other characters stay as they are."""
    return _LOOK_ALIKE.sub(lambda match: f"&lt;{match[1]}{match[2]}", text)


def fence(tag: str, text: str, attributes: Mapping[str, str]) -> str:
    """Return `text` fenced by `tag`; attributes appear in the order given, empty ones are left out."""
    pairs = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    return f"<{tag}{pairs}>\n{neutralise(text)}\n</{tag}>"


def parse_fences(prompt: str) -> tuple[Fenced, ...]:
    """Return the fenced texts of a prompt in order. Raises nothing: text outside fences is ignored."""
    return tuple(_read(match) for match in _FENCE.finditer(prompt))


def _attribute(value: str) -> str:
    return escape(" ".join(value.split()), quote=True)


def _read(match: re.Match[str]) -> Fenced:
    attributes = {name: unescape(value) for name, value in _ATTRIBUTE.findall(match["attributes"])}
    return Fenced(match["tag"], match["text"], attributes)
