"""Which words may be a subject that no source knows."""

from retrieval.features import QuestionWord
from retrieval.questions import analyse
from retrieval.subject import missing_words, weighs_enough
from retrieval.tests.test_ranking import ranked

VOCABULARY = frozenset("cataract ayurveda summari insur includ cover claim".split())
EVIDENCE = [ranked(1, 0.9, tokens=" insur includ ")]


def missing(*typed: str, hindi: bool = False) -> list[str]:
    words = [QuestionWord(word, 6.0, (), word, content=True, hindi=hindi) for word in typed]
    return [word.typed for word in missing_words(words, EVIDENCE, VOCABULARY)]


class TestMissingWords:
    def test_hold_what_no_source_knows(self) -> None:
        assert missing("kangaroo", "insur") == ["kangaroo"]

    def test_leave_out_slips_endings_and_the_other_script(self) -> None:
        assert missing("catarct", "ayurvedic") == []
        assert missing("समरी", hindi=True) == []

    def test_leave_out_common_words_and_numbers(self) -> None:
        assert missing("got", "2027", "of") == []

    def test_leave_out_a_word_whose_meaning_is_known(self) -> None:
        word = QuestionWord("मोतियाबिंद", 6.0, ("cataract",), "मोतियाबिंद", content=True, hindi=True)
        assert missing_words([word], EVIDENCE, VOCABULARY) == []

    def test_leave_out_function_words(self) -> None:
        word = QuestionWord("zzyzx", 6.0, (), "zzyzx", content=False)
        assert missing_words([word], EVIDENCE, VOCABULARY) == []


class TestWeighsEnough:
    def test_is_true_only_for_a_good_part_of_the_question(self) -> None:
        rare, usual = QuestionWord("dog", 6.0), QuestionWord("cover", 1.0)
        assert weighs_enough([rare], [rare, usual])
        assert not weighs_enough([usual], [rare, usual])
        assert not weighs_enough([], [rare])


class TestAnalyse:
    def test_tells_text_that_asks_nothing(self) -> None:
        asked = ["1 1 1 1 1", "not not not", "is it not", "?!", "kya hai", "cataract", "5.3", "क्या है"]
        nothing = [text for text in asked if analyse(text, frozenset()).asks_nothing]
        assert nothing == [text for text in asked if text != "cataract"]

    def test_restores_hinglish_for_the_vector_leg_and_glosses_it_for_the_keyword_leg(self) -> None:
        question = analyse("motiyabind ki limit kitni hai", frozenset({"limit", "cataract"}))
        assert "मोतियाबिंद" in question.vector_text
        assert question.weights["cataract"] == 0.5
        assert question.weights["motiyabind"] == question.weights["मोतियाबिंद"] == 1.0

    def test_leaves_english_alone(self) -> None:
        question = analyse("what is the cataract limit", frozenset())
        assert question.vector_text == "what is the cataract limit"
        assert dict(question.weights) == {"cataract": 1.0, "limit": 1.0}

    def test_knows_a_question_for_a_figure_in_three_languages(self) -> None:
        asked = ["how much is paid", "कितना मिलता है", "kitna milta hai", "what is a TPA"]
        assert [analyse(text, frozenset()).wants_terms for text in asked] == [True, True, True, False]

    def test_counts_function_words_as_no_content(self) -> None:
        words = analyse("मोतियाबिंद की सीमा क्या है", frozenset()).words
        assert [word.lexeme for word in words if word.content] == ["मोतियाबिंद", "सीमा"]
