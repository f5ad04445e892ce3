"""Keep what searches compute with in the row itself, and let the texts move out of it instead.

Postgres moves the widest values of a row over 2 kB to a side table; when those are the vectors, scoring a
hundred chunks costs a hundred extra reads.
"""

from django.db import migrations

INLINE = """
ALTER TABLE retrieval_chunk ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE retrieval_chunk ALTER COLUMN kw SET STORAGE MAIN;
"""
AS_BEFORE = """
ALTER TABLE retrieval_chunk ALTER COLUMN embedding SET STORAGE EXTERNAL;
ALTER TABLE retrieval_chunk ALTER COLUMN kw SET STORAGE EXTENDED;
"""


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0001_initial")]

    operations = [migrations.RunSQL(INLINE, AS_BEFORE)]
