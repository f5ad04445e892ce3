"""The keyword arithmetic against rank-bm25, and the literals the database reads."""

import pytest
from rank_bm25 import BM25Okapi

from retrieval import lexical
from retrieval.lexical import build_query, chunk_weights, inverse_document_frequency, lexemes_of

TEXTS = [
    "The limit for cataract surgery is ₹25,000 for each eye.",
    "The room rent limit is one per cent of the sum insured.",
    "Cataract is a day care procedure, cataract needs no stay.",
    "मोतियाबिंद की सीमा प्रति आँख ₹25,000 है।",
    "An ambulance is paid per admission under clause 5.3.",
]


def oracle_scores(question: list[str], documents: list[list[str]]) -> list[float]:
    """BM25 of rank-bm25 with our idf, because its own is negative for frequent words."""
    oracle = BM25Okapi(documents, k1=lexical.K1, b=lexical.B)
    for word in set(question):
        df = sum(word in document for document in documents)
        oracle.idf[word] = inverse_document_frequency(len(documents), df)
    return [score / (lexical.K1 + 1) for score in oracle.get_scores(question)]


class TestInnerProduct:
    @pytest.mark.parametrize("question", ["cataract limit", "मोतियाबिंद सीमा", "clause 5.3 ambulance 25000"])
    def test_equals_bm25(self, question: str) -> None:
        documents = [lexemes_of(text) for text in TEXTS]
        average = sum(map(len, documents)) / len(documents)
        words = dict.fromkeys(lexemes_of(question), 1.0)
        df = {word: sum(word in document for document in documents) for word in words}
        query = build_query(words, df, len(documents), words)
        idf = {lexical.position(term.lexeme): term.idf for term in query.terms}
        ours = [
            sum(weight * idf.get(at, 0.0) for at, weight in chunk_weights(document, average).items())
            for document in documents
        ]
        assert ours == pytest.approx(oracle_scores(list(words), documents))

    def test_never_exceeds_full_coverage(self) -> None:
        words = dict.fromkeys(lexemes_of(TEXTS[0]), 1.0)
        query = build_query(words, dict.fromkeys(words, 1), 5, words)
        weights = chunk_weights(list(words) * 50, 300.0)
        score = sum(weights[lexical.position(term.lexeme)] * term.idf for term in query.terms)
        assert 0.5 < score / query.total_idf < 1


class TestCandidates:
    def query(self, frequencies: dict[str, int]) -> str:
        return build_query(dict.fromkeys(frequencies, 1.0), frequencies, 9000, frequencies).candidates

    def test_take_the_rarest_words_until_the_cap_is_full(self) -> None:
        assert self.query({"limit": 900, "cataract": 20, "eye": 300}) == "'cataract' | 'eye'"

    def test_pair_the_rarest_word_when_it_alone_is_too_frequent(self) -> None:
        assert self.query({"claim": 5000, "cover": 6000, "day": 7000}) == (
            "('claim' & 'cover') | ('claim' & 'day')"
        )

    def test_leave_unknown_words_out(self) -> None:
        assert self.query({"zebra": 0, "eye": 3}) == "'eye'"

    def test_are_nothing_when_no_word_is_known(self) -> None:
        query = build_query({"zebra": 1.0}, {}, 9000, ["zebra"])
        assert query.is_empty
        assert query.candidates == ""

    def test_take_at_most_eight_words(self) -> None:
        assert self.query({f"w{n}": 1 for n in range(30)}).count("|") == 7


class TestLiterals:
    def test_quote_whatever_a_lexeme_holds(self) -> None:
        assert lexical.quote("it's\\") == "'it''s\\\\'"

    def test_count_sparse_positions_from_one(self) -> None:
        assert lexical.sparse_literal({0: 0.5, 7: 2.0}) == "{1:0.5,8:2}/4194304"

    def test_keep_a_number_with_commas_whole(self) -> None:
        assert "500000" in lexemes_of("₹5,00,000")
