"""A wish for a person, a complaint, and the questions that use the same words; what a message may hold."""

import pytest

from chat.turn.guardrails.requests import asks_for_person, is_complaint
from chat.turn.guardrails.validation import check_input, clean, mask_secrets
from plancover_assist.errors import EmptyMessage

WISHES = [
    "i want to talk to a human",
    "connect me to an agent",
    "can someone from your team call me",
    "please call me back",
    "agent",
    "let me speak to your manager",
    "kisi se baat karni hai mujhe",
    "insaan se baat karao",
    "mujhe phone karwa do",
    "customer care se connect karo",
    "मुझे किसी इंसान से बात करनी है",
    "मुझे कॉल बैक चाहिए",
    "एजेंट से बात कराइए",
    "is there a real person I can speak with",
    "i need a person not a bot",
    "bot nahi chahiye kisi aadmi se baat karao",
    "किसी अधिकारी से बात करवा दीजिए",
    "human please",
    "need to speak with someone about my claim",
    "koi banda hai baat karne ke liye?",
]
NO_WISHES = [
    "callback kal 11 baje",
    "who should i contact for preauth",
    "should i talk to my doctor before admission",
    "i don't want to talk to an agent",
    "is someone without ecard covered",
    "koi baat nahi",
    "will the TPA call me for the query",
    "per person limit kya hai",
    "kya hospital se baat karni padegi",
    "can an agent's commission be refunded",
    "kitne log cover hai",
    "can someone else in family submit my claim",
    "kisi aur hospital me ja sakte hai kya",
    "क्या अस्पताल से बात करनी होगी",
    "what does the claims team do",
    "do i need a doctor's certificate",
    "किसी भी अस्पताल में जा सकते हैं?",
    "what is reasonable and customary",
    "can you explain copay",
    "hello",
]
COMPLAINTS = [
    "i want to file a complaint about your service",
    "worst service ever",
    "nobody replies to my mails",
    "this is my complaint against the TPA",
    "meri shikayat darj karo",
    "bahut ghatiya service hai aap logo ki",
    "koi jawab nahi deta",
    "शिकायत दर्ज कीजिए",
    "मुझे शिकायत करनी है",
    "आप लोगों की सेवा बेकार है",
    "I am fed up with this company",
    "the staff was rude to my mother",
    "complaint karni hai mujhe hospital desk ki",
    "please register my complaint",
    "pathetic support, third time i'm calling",
]
NO_COMPLAINTS = [
    "how do i complain",
    "where can i file a complaint against insurer",
    "shikayat kahan karu",
    "what is the grievance ladder",
    "ombudsman complaint time limit",
    "शिकायत कैसे करें",
    "शिकायत का नंबर क्या है",
    "how long does bima bharosa take on a complaint",
    "can i complain to ombudsman for group policy",
    "what is a grievance officer",
    "claim kab aayega",
    "my claim was rejected",
    "why was 5000 deducted",
    "lokpal me shikayat kitne din me",
    "is fraud excluded",
]


class TestAsksForPerson:
    @pytest.mark.parametrize("text", WISHES)
    def test_hears_a_wish_for_a_person(self, text: str) -> None:
        assert asks_for_person(text)

    @pytest.mark.parametrize("text", NO_WISHES)
    def test_leaves_other_mentions_of_people_alone(self, text: str) -> None:
        assert not asks_for_person(text)

    def test_leaves_a_call_at_a_named_hour_to_the_actions(self) -> None:
        assert asks_for_person("please call me back")
        assert not asks_for_person("please call me back at 4 pm")


class TestIsComplaint:
    @pytest.mark.parametrize("text", COMPLAINTS)
    def test_hears_a_complaint(self, text: str) -> None:
        assert is_complaint(text)

    @pytest.mark.parametrize("text", NO_COMPLAINTS)
    def test_leaves_a_question_about_complaining_alone(self, text: str) -> None:
        assert not is_complaint(text)


class TestCheckInput:
    def test_passes_an_ordinary_message_unchanged(self) -> None:
        checked = check_input("मेरा claim कब आएगा?")
        assert checked.text == "मेरा claim कब आएगा?"
        assert (checked.decision.outcome, checked.decision.detail) == ("passed", "")

    @pytest.mark.parametrize("text", ["", "   ", "?!…", "\x00\x07", "\u200b"])
    def test_refuses_a_message_without_a_word(self, text: str) -> None:
        with pytest.raises(EmptyMessage):
            check_input(text)

    def test_flags_and_masks_a_secret(self) -> None:
        checked = check_input("my otp is 482913, is the claim paid")
        assert "482913" not in checked.text
        assert checked.decision.outcome == "flagged"
        assert "482913" not in checked.decision.detail


class TestClean:
    def test_removes_what_cannot_be_seen_but_keeps_lines_and_joiners(self) -> None:
        assert clean(" a\x00b\r\nc\u202e \u200b") == "ab\nc"
        assert clean("क्\u200dष") == "क्\u200dष"

    def test_composes_letters_and_their_marks(self) -> None:
        assert clean("re\u0301sume\u0301") == "résumé"


class TestMaskSecrets:
    @pytest.mark.parametrize(
        ("text", "masked"),
        [
            ("card 4111 1111 1111 1111 ka refund", "card [card] ka refund"),
            ("mera pin 4821 hai", "mera pin [otp or pin] hai"),
            ("CVV: 123", "CVV: [otp or pin]"),
            ("password is hunter2!", "password is [password]"),
            ("ओटीपी ४८२९१३ आया", "ओटीपी [otp] आया"),
        ],
    )
    def test_replaces_the_secret_by_its_kind(self, text: str, masked: str) -> None:
        assert mask_secrets(text)[0] == masked

    @pytest.mark.parametrize(
        "text", ["pin code 560001", "limit 40000 per eye", "claim CLM-2026-00123", "1 Sep 2026"]
    )
    def test_leaves_places_amounts_and_references(self, text: str) -> None:
        assert mask_secrets(text) == (text, ())
