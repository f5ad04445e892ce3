"""Front matter and files: what is refused, and by which name."""

import os
from pathlib import Path

import pytest
from django.db.models import CharField

from retrieval import errors
from retrieval.chunking.passage import MAX_CLAUSE_CHARS, MAX_HEADING_CHARS, Passage
from retrieval.loading import load_corpus, parse_document
from retrieval.models import Chunk, Document
from retrieval.tests.papers import paper, write

BODY = "# Title\n\nSome text."


def parse(text: str, path: str = "public/a.md") -> None:
    parse_document(path, text.encode())


class TestParseDocument:
    def test_keeps_the_file_and_says_where_its_body_begins(self) -> None:
        text = paper("A-1", BODY)
        document = parse_document("public/a-1.md", text.encode())
        assert document.text == text
        assert text[document.body_start :].startswith("# Title")

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            (paper("A-1", BODY, colour="red"), errors.UnknownFrontMatterKey),
            (paper("A-1", BODY).replace("lang: en\n", ""), errors.MissingFrontMatterKey),
            (paper("A-1", BODY, lang="fr"), errors.BadFrontMatter),
            (paper("A-1", BODY, effective_to="2020-01-01"), errors.BadFrontMatter),
            (paper("A-1", BODY, amends='["A-2 4.7"]'), errors.BadFrontMatter),
            (paper("A-1", BODY, title="[unclosed"), errors.BadFrontMatter),
            (paper("A-1", BODY, effective_from="2026-02-31"), errors.BadFrontMatter),
            (paper("A-1", BODY, effective_from="!!timestamp soon"), errors.BadFrontMatter),
            (paper("A-1", BODY, version="9" * 5000), errors.BadFrontMatter),
            (paper("A-1", BODY, title="[" * 3000), errors.BadFrontMatter),
            (paper("A-1", BODY, title='"a\\0"'), errors.BadFrontMatter),
            (paper("A-1", BODY + "\0"), errors.NotStorable),
            (paper("A-1", BODY, tenant="ten_a"), errors.WrongFolder),
            (paper("A-1", "  \n"), errors.EmptyDocument),
            ("", errors.EmptyDocument),
            (BODY, errors.MissingFrontMatter),
        ],
    )
    def test_refuses_with_a_code_of_its_own(self, text: str, error: type[errors.DocumentError]) -> None:
        with pytest.raises(error):
            parse(text)

    def test_names_the_key_at_fault(self) -> None:
        with pytest.raises(errors.UnknownFrontMatterKey) as caught:
            parse(paper("A-1", BODY, colour="red"))
        assert caught.value.field == "colour"
        assert caught.value.code == "unknown_front_matter_key"

    def test_refuses_bytes_that_are_not_utf8(self) -> None:
        with pytest.raises(errors.NotUtf8):
            parse_document("public/a.md", paper("A-1", BODY).encode("utf-16"))

    def test_refuses_a_path_longer_than_its_column(self) -> None:
        with pytest.raises(errors.NotStorable):
            parse(paper("A-1", BODY), f"public/{'a' * 250}.md")


class TestLengths:
    """Whatever passes here must fit the columns, or one paper would stop the whole reindex."""

    @pytest.mark.parametrize(
        "name", ["title", "insurer", "version", "tenant", "doc_type", "lang", "audience"]
    )
    def test_of_front_matter_end_where_the_column_ends(self, name: str) -> None:
        column = Document._meta.get_field("owner" if name == "tenant" else name)
        assert isinstance(column, CharField)
        assert column.max_length is not None
        with pytest.raises(errors.BadFrontMatter):
            parse(paper("A-1", BODY, **{name: '"' + "a" * (column.max_length + 1) + '"'}))

    def test_of_a_doc_id_ends_where_its_column_ends(self) -> None:
        with pytest.raises(errors.BadFrontMatter):
            parse(paper("A" * 65, BODY))

    def test_of_headings_and_clauses_end_where_the_columns_end(self) -> None:
        heading, clause = Chunk._meta.get_field("heading"), Chunk._meta.get_field("clause")
        assert isinstance(heading, CharField)
        assert isinstance(clause, CharField)
        assert (heading.max_length, clause.max_length) == (MAX_HEADING_CHARS, MAX_CLAUSE_CHARS)
        for path, number in ((("h" * (MAX_HEADING_CHARS + 1),), ""), ((), "1" * (MAX_CLAUSE_CHARS + 1))):
            with pytest.raises(errors.NotStorable):
                Passage("text", 0, 4, path, number)


class TestLoadCorpus:
    def test_names_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "public" / "folder.md").mkdir(parents=True)
        assert [one.code for one in load_corpus(tmp_path).skipped] == ["unreadable_file"]

    def test_names_a_file_whose_name_is_no_text(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", "").rename(os.fsdecode(bytes(tmp_path) + b"/public/a\xff.md"))
        assert [one.path for one in load_corpus(tmp_path).skipped] == ["public/a\\xff.md"]

    def test_lists_broken_files_and_reads_the_others(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        (tmp_path / "public" / "b.md").write_bytes(b"\xff\xfe")
        corpus = load_corpus(tmp_path)
        assert [document.front.doc_id for document in corpus.documents] == ["A-1"]
        assert [(skipped.path, skipped.code) for skipped in corpus.skipped] == [("public/b.md", "not_utf8")]

    def test_takes_neither_of_two_files_with_one_id(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        write(tmp_path, "A-1", BODY, tenant="ten_a")
        corpus = load_corpus(tmp_path)
        assert corpus.documents == ()
        assert [(skipped.path, skipped.code) for skipped in corpus.skipped] == [
            ("public/a-1.md", "duplicate_doc_id"),
            ("ten_a/a-1.md", "duplicate_doc_id"),
        ]

    def test_leaves_fixtures_out(self, tmp_path: Path) -> None:
        write(tmp_path, "A-1", BODY)
        (tmp_path / "fixtures").mkdir()
        (tmp_path / "fixtures" / "trap.md").write_text("anything")
        assert load_corpus(tmp_path).skipped == ()
