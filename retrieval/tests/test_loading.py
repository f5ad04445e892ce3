"""Front matter and files: what is refused, and by which name."""

from pathlib import Path

import pytest

from retrieval import errors
from retrieval.loading import load_corpus, parse_document
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


class TestLoadCorpus:
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
