"""From the files of the corpus folder to checked documents.

A file is read whole, its front matter validated, and its body handed on untouched with the place where
it begins, so that offsets always count characters of the file. Nothing here writes to the database.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from plancover_assist.identity.context import PUBLIC
from retrieval import errors

# The byte order mark some editors write is tolerated; front matter is closed by a line of three dashes.
_FRONT_MATTER = re.compile(r"\A\ufeff?---\r?\n(?P<yaml>.*?\r?\n)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


class DocType(StrEnum):
    """The kinds of paper of the corpus; how each is cut and how far it rules follows from its kind."""

    WORDING = "wording"
    SCHEDULE = "schedule"
    ENDORSEMENT = "endorsement"
    CIS = "cis"
    HANDBOOK = "handbook"
    NOTE = "note"
    SUMMARY = "summary"
    GUIDE = "guide"
    CHECKLIST = "checklist"
    CARD = "card"
    LEAFLET = "leaflet"
    GLOSSARY = "glossary"
    FAQ = "faq"
    NETWORK = "network"


DocId = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9][A-Z0-9-]{1,62}$")]
AmendedClause = Annotated[
    str, StringConstraints(pattern=r"^[A-Z0-9][A-Z0-9-]{1,62} [0-9]+(\.[0-9]+)*$", max_length=80)
]
# YAML can write NUL as an escape, which no text column of Postgres takes.
Words = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
MAX_PATH_CHARS = 255  # as long as the document's column


class FrontMatter(BaseModel):
    """The head of a document. `amends` names clauses as `DOC-ID 4.7`; no text is longer than its column."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    doc_id: DocId
    title: Words = Field(min_length=1, max_length=255)
    lang: Literal["en", "hi"]
    tenant: str = Field(pattern=r"^[a-z0-9_]{1,32}$")
    doc_type: DocType
    insurer: Words = Field(default="", max_length=120)
    effective_from: date
    effective_to: date | None = None
    supersedes: DocId | None = None
    amends: tuple[AmendedClause, ...] = ()
    version: Words = Field(min_length=1, max_length=32)
    clause_numbering: bool
    audience: Literal["member", "hr", "staff"]

    @model_validator(mode="after")
    def _dates_run_forward(self) -> "FrontMatter":
        if self.effective_to is not None and self.effective_to < self.effective_from:
            raise ValueError("effective_to lies before effective_from")
        if self.amends and self.doc_type is not DocType.ENDORSEMENT:
            raise ValueError("only an endorsement amends a clause")
        return self


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A checked document. `text` is the whole file; its body begins at character `body_start`."""

    path: str
    front: FrontMatter
    text: str
    body_start: int
    source_hash: str


@dataclass(frozen=True, slots=True)
class SkippedDocument:
    """A file that could not be read, with the stable code and one sentence about it."""

    path: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class LoadedCorpus:
    documents: tuple[SourceDocument, ...]
    skipped: tuple[SkippedDocument, ...]


def load_corpus(folder: Path) -> LoadedCorpus:
    """Read every `*.md` file under the folder, in path order; broken ones are listed, not raised.

    Of files that share a doc_id none is taken: which of them is meant cannot be told, and a wrong guess
    would put another paper in the place of the one that rules.
    """
    documents: list[SourceDocument] = []
    skipped: list[SkippedDocument] = []
    for file in _document_files(folder):
        path = _readable(file.relative_to(folder))
        try:
            documents.append(parse_document(path, _read(file)))
        except errors.DocumentError as problem:
            skipped.append(SkippedDocument(path, problem.code, problem.message))
    rivals = _rivals(documents)
    unique = tuple(document for document in documents if document.path not in {one.path for one in rivals})
    return LoadedCorpus(unique, tuple(sorted([*skipped, *rivals], key=lambda one: one.path)))


def _document_files(folder: Path) -> Iterable[Path]:
    """Papers lie one folder deep, one folder an owner; fixtures and vectors are not among them."""
    return sorted(f for f in folder.glob("*/*.md") if f.parent.name not in {"fixtures", "vectors"})


def _readable(path: Path) -> str:
    """Return a path with forward slashes; bytes of its name that are no UTF-8 become visible escapes."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise errors.UnreadableFile(f"the file cannot be read: {problem.strerror or problem}") from problem


def _rivals(documents: Iterable[SourceDocument]) -> list[SkippedDocument]:
    """Return every document whose doc_id another one claims too, each with all the paths that do."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for document in documents:
        paths[document.front.doc_id].append(document.path)
    return [
        SkippedDocument(
            path, errors.DuplicateDocId.code, f"doc_id {doc_id} is claimed by {' and '.join(claimants)}"
        )
        for doc_id, claimants in paths.items()
        if len(claimants) > 1
        for path in claimants
    ]


def parse_document(path: str, content: bytes) -> SourceDocument:
    """Return the document in these bytes; raises a `DocumentError` that says what is wrong."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise errors.NotUtf8(f"not UTF-8 at byte {problem.start}") from problem
    _check_storable(path, text)
    if not text.strip():
        raise errors.EmptyDocument("the file is empty")
    head = _FRONT_MATTER.match(text)
    if head is None:
        raise errors.MissingFrontMatter("the file does not begin with front matter between --- lines")
    if not text[head.end() :].strip():
        raise errors.EmptyDocument("there is no text below the front matter")
    front = parse_front_matter(head["yaml"])
    _check_folder(path, front)
    return SourceDocument(path, front, text, head.end(), hashlib.sha256(content).hexdigest())


def _check_storable(path: str, text: str) -> None:
    if "\0" in text:
        raise errors.NotStorable(f"there is a NUL character at character {text.index(chr(0))}")
    if len(path) > MAX_PATH_CHARS:
        raise errors.NotStorable(f"the path is longer than {MAX_PATH_CHARS} characters")


def parse_front_matter(block: str) -> FrontMatter:
    """Validate a YAML block; raises `BadFrontMatter` or one of its more exact siblings."""
    try:
        values = yaml.safe_load(block)
    except Exception as problem:  # a 31 February or deep nesting raises whatever PyYAML came upon
        raise errors.BadFrontMatter(f"the front matter is not YAML: {problem}") from problem
    if not isinstance(values, dict):
        raise errors.BadFrontMatter("the front matter is not a list of keys and values")
    try:
        return FrontMatter.model_validate(values)
    except ValidationError as problem:
        raise _front_matter_error(problem) from problem


def _front_matter_error(problem: ValidationError) -> errors.DocumentError:
    """Name the first wrong key; unknown and missing keys have codes of their own."""
    first = problem.errors(include_url=False, include_context=False)[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        return errors.UnknownFrontMatterKey(f"unknown front matter key {key}", field=key)
    if first["type"] == "missing":
        return errors.MissingFrontMatterKey(f"front matter lacks the key {key}", field=key)
    return errors.BadFrontMatter(f"{key or 'front matter'}: {first['msg']}", field=key or None)


def _check_folder(path: str, front: FrontMatter) -> None:
    """A tenant's paper in another owner's folder is a slip that could show it to the wrong people."""
    folder = path.split("/", 1)[0]
    if "/" in path and folder != front.tenant:
        where = "the public folder" if folder == PUBLIC else f"the folder {folder}"
        raise errors.WrongFolder(f"tenant {front.tenant} does not belong in {where}", field="tenant")
