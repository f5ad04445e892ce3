"""Traces are only ever added: the database itself refuses to change or delete one, whoever asks.

TRUNCATE stays possible. It empties the table as a whole, which its owner alone may do (the tests' flush does).
"""

from django.db import migrations

ADD = """
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER only_ever_added BEFORE UPDATE OR DELETE ON audit_turntrace
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
"""
REMOVE = """
DROP TRIGGER only_ever_added ON audit_turntrace;
DROP FUNCTION audit_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [migrations.RunSQL(ADD, REMOVE)]
