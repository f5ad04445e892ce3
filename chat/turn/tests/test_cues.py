"""Words that speak of what is the member's own, and words that only look like it."""

import pytest

from chat.turn.cues import find_cues


class TestFindCues:
    @pytest.mark.parametrize(
        "text",
        [
            "my claim",
            "Our policy",
            "am I covered",
            "do we have opd",
            "mera claim",
            "meri policy",
            "mere bill se",
            "mujhe kitna milega",
            "maine kal bheja",
            "hamara sum insured",
            "humari family",
            "hamare bachche",
            "apna ecard",
            "apne papa ka",
            "मेरा क्लेम",
            "मेरे बिल",
            "मुझे कब मिलेगा",
            "मैंने भेजा था",
            "हमारी पॉलिसी",
            "हमारे परिवार में",
            "अपना कार्ड",
            "company ki taraf se kya milta hai",
        ],
    )
    def test_hears_the_member_speak_of_their_own(self, text: str) -> None:
        assert find_cues(text).own

    @pytest.mark.parametrize(
        "text",
        [
            "numerical limit",
            "hospitals in Mysore",
            "academy fees",
            "tour insurance",
            "my boss asked what copay is",
            "my question is about floaters",
            "in my opinion",
            "meri rai me yeh galat hai",
            "mera sawal simple hai",
            "mere dost ka kehna hai",
            "mujhe samjhao floater kya hai",
            "मेरा सवाल यह है",
            "मेरे बॉस ने पूछा",
            "मुझे बताइए को-पे क्या है",
        ],
    )
    def test_is_not_taken_in_by_false_friends(self, text: str) -> None:
        assert not find_cues(text).own

    def test_still_hears_a_cue_beside_a_false_friend(self) -> None:
        assert find_cues("my boss asked about my claim").own == ("my",)

    def test_tells_family_and_a_bare_i_from_possession(self) -> None:
        cues = find_cues("can i add wife")
        assert (cues.own, cues.weak, cues.kin) == ((), ("i",), ("wife",))
