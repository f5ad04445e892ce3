"""The abstention is recognised whole, however it is cut, and nothing else is held back for good."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chat.turn.abstention import Opening
from chat.turn.context import build
from chat.turn.state import TurnState
from plancover_assist.fencing import ABSTAIN
from plancover_assist.settings.bounds import Bounds


def feed(pieces: list[str]) -> tuple[str, Opening]:
    opening = Opening()
    return "".join(opening.feed(piece) for piece in pieces), opening


def cut(text: str, places: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(edges)]


class TestOpening:
    @given(st.lists(st.integers(0, 50)), st.sampled_from(["", " ", "\n"]), st.sampled_from(["", "\n\n"]))
    def test_shows_no_byte_of_an_abstention(self, places: list[int], before: str, after: str) -> None:
        shown, opening = feed(cut(before + ABSTAIN + after, places))
        assert shown == ""
        assert opening.abstained

    @given(st.text(), st.lists(st.integers(0, 50)))
    def test_shows_every_byte_of_anything_else(self, text: str, places: list[int]) -> None:
        shown, opening = feed(cut(text, places))
        if not opening.abstained:
            shown += opening.release()
            assert shown == text == opening.said

    def test_lets_an_answer_that_begins_alike_through(self) -> None:
        shown, opening = feed(["<abst", "ract> is no abstention"])
        assert shown == "<abstract> is no abstention"
        assert not opening.abstained

    def test_knows_when_nothing_readable_came(self) -> None:
        assert feed([" ", "\n"])[1].blank
        assert not feed(["x"])[1].blank


class TestTheSentinel:
    def test_is_the_one_that_the_prompt_defines(self) -> None:
        messages, _ = build(TurnState(question="What?"), Bounds())
        assert ABSTAIN in messages[0].content
