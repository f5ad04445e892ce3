"""Documents, the generations of their index, and the chunks that searches read.

Rows of one generation are written once and never changed; a reindex builds the next generation beside
the live one. No rules live here beyond the database's own. Columns that exist for speed (owner, dates,
language) repeat the document's, so that a search filters one table.
"""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import HalfVectorField, HnswIndex, SparseVectorField, VectorField

EMBEDDING_DIMENSIONS = 384  # multilingual-e5-small
KEYWORD_DIMENSIONS = 2**22  # a lexeme's place is its crc32 modulo this: wide enough to keep collisions rare


class Document(models.Model):
    """One version of one paper: the same id with other bytes is another row."""

    doc_id = models.CharField(max_length=64)
    source_hash = models.CharField(max_length=64)
    path = models.CharField(max_length=255, help_text="Relative to the corpus folder, with forward slashes.")
    title = models.CharField(max_length=255)
    lang = models.CharField(max_length=8)
    owner = models.CharField(max_length=32, help_text="`public`, or the id of the tenant it belongs to.")
    doc_type = models.CharField(max_length=16)
    insurer = models.CharField(max_length=120, blank=True)
    effective_from = models.DateField()
    effective_to = models.DateField(null=True, blank=True)
    supersedes = models.CharField(max_length=64, blank=True)
    amends = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    version = models.CharField(max_length=32)
    clause_numbering = models.BooleanField(default=False)
    audience = models.CharField(max_length=16)
    first_indexed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doc_id", "source_hash"], name="one_row_per_document_version"),
        ]

    def __str__(self) -> str:
        return f"{self.doc_id} ({self.version})"


class IndexGeneration(models.Model):
    """One whole build of the index. At most one is live; a search reads only that one."""

    class State(models.TextChoices):
        BUILDING = "building", "Building"
        LIVE = "live", "Live"
        RETIRED = "retired", "Retired"

    state = models.CharField(max_length=8, choices=State.choices, default=State.BUILDING)
    model_id = models.CharField(max_length=80, blank=True, help_text="Empty: keywords only, no vectors.")
    documents = models.PositiveIntegerField(default=0)
    chunks = models.PositiveIntegerField(default=0)
    fingerprint = models.CharField(max_length=64, blank=True, help_text="Digest of all it holds.")
    avg_dl = models.FloatField(default=1.0, help_text="Mean tokens of a chunk, fixed when it was built.")
    created_at = models.DateTimeField(auto_now_add=True)
    live_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["state"], condition=models.Q(state="live"), name="at_most_one_live_generation"
            ),
        ]

    def __str__(self) -> str:
        return f"generation {self.pk} ({self.state})"


class Chunk(models.Model):
    """A passage as it is searched and quoted. `start` and `end` count characters of the source file."""

    generation = models.ForeignKey(IndexGeneration, on_delete=models.CASCADE, related_name="rows")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="chunks")
    ordinal = models.PositiveIntegerField()
    clause = models.CharField(max_length=32, blank=True)
    heading = models.CharField(max_length=500, blank=True, help_text="Heading path, outermost first.")
    text = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    lang = models.CharField(max_length=8)
    owner = models.CharField(max_length=32)
    effective_from = models.DateField()
    effective_to = models.DateField(null=True)
    replaced_from = models.DateField(null=True, help_text="First day on which another paper rules instead.")
    replaced_to = models.DateField(null=True, help_text="Last such day; empty: for good.")
    content_hash = models.CharField(max_length=64)
    model_id = models.CharField(max_length=80, blank=True)
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True)
    lex = SearchVectorField()
    kw = SparseVectorField(dimensions=KEYWORD_DIMENSIONS)
    dl = models.PositiveIntegerField()
    tokens = models.TextField(help_text="Tokens in order, with a space before, between and after.")
    heading_tokens = models.TextField(help_text="Those of the title and the headings alone.")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["generation", "document", "ordinal"], name="one_chunk_per_place_in_a_document"
            ),
            models.CheckConstraint(
                condition=models.Q(embedding__isnull=True) | ~models.Q(model_id=""),
                name="a_vector_names_its_model",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # The GIN index on `lex` is made in a migration, because it takes `owner` in where it can.
            HnswIndex(
                name="chunk_embedding_hnsw",
                fields=["embedding"],
                m=16,
                ef_construction=128,
                opclasses=["halfvec_cosine_ops"],
            ),
            models.Index(fields=["generation", "content_hash"], name="chunk_content"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}#{self.ordinal}"


class ScopeStatistics(models.Model):
    """What a scope holds in one language and generation: its share of N, and the centre of its vectors."""

    generation = models.ForeignKey(IndexGeneration, on_delete=models.CASCADE, related_name="scopes")
    scope = models.CharField(max_length=32)
    lang = models.CharField(max_length=8)
    n_chunks = models.PositiveIntegerField()
    avg_dl = models.FloatField()
    centre = VectorField(dimensions=EMBEDDING_DIMENSIONS, null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["generation", "scope", "lang"], name="one_statistics_row_per_scope_and_language"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope}, {self.lang}: {self.n_chunks}"


class LexemeStatistics(models.Model):
    """In how many chunks of a scope a lexeme occurs."""

    generation = models.ForeignKey(IndexGeneration, on_delete=models.CASCADE, related_name="lexemes")
    scope = models.CharField(max_length=32)
    lexeme = models.CharField(max_length=255)
    df = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["generation", "lexeme", "scope"], name="one_df_per_lexeme_and_scope"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lexeme} in {self.scope}: {self.df}"
