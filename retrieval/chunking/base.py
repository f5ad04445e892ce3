"""What every kind of source shares: the passage, and the choice of the module that cuts it."""

from collections.abc import Callable, Iterable, Iterator

from retrieval.chunking import faq, glossary, guide, policy
from retrieval.chunking.blocks import Section, parse_sections
from retrieval.chunking.passage import Passage
from retrieval.loading import DocType, SourceDocument

Cutter = Callable[[str, Iterable[Section]], Iterator[Passage]]


# Types that have a cutter of their own; policy papers are known by their numbers, the rest are guides.
_BY_TYPE: dict[DocType, Cutter] = {DocType.FAQ: faq.cut, DocType.GLOSSARY: glossary.cut}


def chunk_document(document: SourceDocument) -> list[Passage]:
    """Return the document's passages in reading order; raises a `DocumentError` it cannot be cut by."""
    sections = parse_sections(document.text, document.body_start)
    by_type = _BY_TYPE.get(document.front.doc_type, guide.cut)
    cut = policy.cut if document.front.clause_numbering else by_type
    return list(cut(document.text, sections))
