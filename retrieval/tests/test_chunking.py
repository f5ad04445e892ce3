"""Where passages begin and end, and that their offsets point at what they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.chunking import Passage, chunk_document
from retrieval.chunking.blocks import clean
from retrieval.chunking.packing import MAX_TOKENS, estimate_tokens
from retrieval.errors import BadTable, MissingClauseNumber
from retrieval.loading import SourceDocument, parse_document
from retrieval.tests.papers import paper

TABLE = "| Subject | Term |\n|---|---|\n| Cataract | ₹25,000 |\n| Room | ₹3,000 |"


def document(body: str, **front: str) -> SourceDocument:
    return parse_document("public/a.md", paper("A-1", body, **front).encode())


def cut(body: str, **front: str) -> list[Passage]:
    return chunk_document(document(body, **front))


def visible(text: str) -> str:
    return "".join(clean(text).split())


class TestOffsets:
    @pytest.mark.parametrize(
        "body",
        [
            "# शीर्षक\n\n## खंड\n\nमोतियाबिंद की सीमा\nप्रति आँख है। दूसरा वाक्य।\n\nऔर एक अनुच्छेद।",
            f"# Title\n\n## Part\n\nThe table shows terms.\n\n{TABLE}\n\nAfter it.",
            "# Title\n\nA word with a zero\u200bwidth and a \u202ebidi\u202c mark.",
        ],
    )
    def test_span_exactly_the_passage_in_the_file(self, body: str) -> None:
        source = document(body)
        for passage in chunk_document(source):
            assert visible(source.text[passage.start : passage.end]) == visible(passage.text)

    @given(st.lists(st.text("abcअआकि \u200b", min_size=1, max_size=30), min_size=20, max_size=60))
    def test_hold_for_long_paragraphs_cut_at_sentence_ends(self, sentences: list[str]) -> None:
        body = "# T\n\nBegin here. " + " ".join(
            f"X{sentence.strip()} goes on for many words until it ends." for sentence in sentences
        )
        source = document(body)
        passages = chunk_document(source)
        for passage in passages:
            assert visible(source.text[passage.start : passage.end]) == visible(passage.text)
        whole = visible("".join(passage.text for passage in passages))
        assert whole == visible(body.removeprefix("# T"))

    def test_drop_invisible_characters_from_the_text(self) -> None:
        assert cut("# T\n\nzero\u200bwidth \u2066mark\u2069")[0].text == "zerowidth mark"


class TestPolicyPapers:
    BODY = (
        "# Policy\n\n## 4 Limits\n\n### 4.7 Cataract\n\nThe limit is ₹25,000."
        "\n\n### 4.8 LASIK\n\nNot covered."
    )

    def test_cut_by_clause_with_number_and_heading_path(self) -> None:
        passages = cut(self.BODY, clause_numbering="true", doc_type="schedule")
        assert [(p.clause, p.heading) for p in passages] == [
            ("4.7", "Policy > Limits > Cataract"),
            ("4.8", "Policy > Limits > LASIK"),
        ]

    def test_refuse_a_heading_without_a_number(self) -> None:
        with pytest.raises(MissingClauseNumber):
            cut(self.BODY.replace("### 4.8 LASIK", "### LASIK"), clause_numbering="true")

    def test_carry_the_path_into_what_is_embedded(self) -> None:
        first = cut(self.BODY, clause_numbering="true")[0]
        assert first.indexed_text == "Policy > Limits > Cataract\nThe limit is ₹25,000."


class TestTables:
    def test_stay_whole_with_the_sentence_that_introduces_them(self) -> None:
        rows = "\n".join(f"| Benefit number {n} | the term of the benefit {n} |" for n in range(200))
        table = f"| Subject | Term |\n|---|---|\n{rows}"
        passages = cut(f"# T\n\nFirst words.\n\nThe table follows.\n\n{table}\n\nLast words.")
        first_lines = [passage.text.splitlines()[0] for passage in passages]
        assert first_lines == ["First words.", "The table follows.", "Last words."]
        assert passages[1].text.count("\n|") == 202
        assert estimate_tokens(passages[1].text) > MAX_TOKENS

    @pytest.mark.parametrize("row", ["| one |", "| one | two | three |"])
    def test_are_refused_when_a_row_is_ragged(self, row: str) -> None:
        with pytest.raises(BadTable):
            cut(f"# T\n\n{TABLE}\n{row}")

    def test_are_refused_without_a_heading_line(self) -> None:
        with pytest.raises(BadTable):
            cut("# T\n\n| a | b |\n| c | d |\n| e | f |")


class TestQuestionsAndTerms:
    def test_faq_keeps_question_and_answer_together(self) -> None:
        passages = cut("# FAQ\n\n## Money\n\n### Who pays?\n\nThe insurer.\n\nNot the TPA.", doc_type="faq")
        assert passages[0].indexed_text == "FAQ > Money > Who pays?\nThe insurer.\n\nNot the TPA."

    def test_glossary_heads_an_entry_by_its_term_alone(self) -> None:
        passages = cut("# Glossary\n\n## Money\n\n### Co-pay (सह-भुगतान)\n\nA share.", doc_type="glossary")
        assert passages[0].heading == "Glossary > Co-pay (सह-भुगतान)"


class TestLongSections:
    def test_are_cut_at_sentence_ends_within_the_size(self) -> None:
        sentences = " ".join(f"Sentence number {n} says one thing about the cover." for n in range(120))
        passages = cut(f"# T\n\n{sentences}")
        assert len(passages) > 3
        assert all(p.text.endswith("cover.") for p in passages)
        assert max(estimate_tokens(p.text) for p in passages) <= MAX_TOKENS
