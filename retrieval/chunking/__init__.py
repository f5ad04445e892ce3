"""From a document's body to the passages that are searched and quoted.

One module per kind of source decides where passages begin and end; all of them share `blocks` (headings,
paragraphs and tables with their offsets) and `packing` (size). Nothing here knows the database.
"""

from retrieval.chunking.base import chunk_document
from retrieval.chunking.passage import Passage

__all__ = ["Passage", "chunk_document"]
