"""Read-only lists of documents, chunks and index generations; the index is changed by reindex alone."""

from django.contrib import admin

from plancover_assist.read_only import ReadOnly
from retrieval.models import Chunk, Document, IndexGeneration


@admin.register(Document)
class DocumentAdmin(ReadOnly, admin.ModelAdmin[Document]):
    list_display = (
        "doc_id",
        "title",
        "owner",
        "doc_type",
        "lang",
        "version",
        "effective_from",
        "effective_to",
    )
    list_filter = ("owner", "doc_type", "lang")
    search_fields = ("doc_id", "title")
    ordering = ("doc_id",)


@admin.register(IndexGeneration)
class IndexGenerationAdmin(ReadOnly, admin.ModelAdmin[IndexGeneration]):
    list_display = ("id", "state", "model_id", "documents", "chunks", "created_at", "live_at")
    list_filter = ("state",)
    ordering = ("-id",)


@admin.register(Chunk)
class ChunkAdmin(ReadOnly, admin.ModelAdmin[Chunk]):
    list_display = (
        "id",
        "document",
        "clause",
        "heading",
        "owner",
        "effective_from",
        "effective_to",
        "model_id",
    )
    list_filter = ("owner", "lang", "document__doc_type")
    search_fields = ("heading", "document__doc_id")
    list_select_related = ("document",)
    ordering = ("document__doc_id", "ordinal")
    exclude = ("embedding", "lex", "kw", "tokens", "heading_tokens")
