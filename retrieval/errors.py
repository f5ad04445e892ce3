"""What can be wrong with a document of the corpus, each with its stable code, and with a reindex run."""

from plancover_assist.errors import BadInput, Conflict


class DocumentError(BadInput):
    """A document cannot be indexed; it is named and skipped, and its last good version stays."""

    code = "bad_document"


class UnreadableFile(DocumentError):
    code = "unreadable_file"


class NotStorable(DocumentError):
    """It holds what no column of the index can: a NUL character, or a name longer than there is room for."""

    code = "not_storable"


class NotUtf8(DocumentError):
    code = "not_utf8"


class EmptyDocument(DocumentError):
    code = "empty_document"


class MissingFrontMatter(DocumentError):
    code = "missing_front_matter"


class BadFrontMatter(DocumentError):
    code = "bad_front_matter"


class UnknownFrontMatterKey(DocumentError):
    code = "unknown_front_matter_key"


class MissingFrontMatterKey(DocumentError):
    code = "missing_front_matter_key"


class DuplicateDocId(DocumentError):
    code = "duplicate_doc_id"


class WrongFolder(DocumentError):
    code = "wrong_folder"


class BadTable(DocumentError):
    code = "bad_table"


class MissingClauseNumber(DocumentError):
    code = "missing_clause_number"


class ReindexLocked(Conflict):
    code = "reindex_locked"
    default_message = "Another reindex is running; try again when it has finished."


class UnknownTenant(BadInput):
    code = "unknown_tenant"
