"""Masking what identifies a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn, verhoeff

from plancover_assist.text.redaction import Identifier, find_identifiers, redact


def with_check_digit(digits: str) -> str:
    return digits + str(verhoeff.calc_check_digit(digits))


AADHAAR = with_check_digit("23456789012")
CARD = "411111111111111" + luhn.calc_check_digit("411111111111111")


class TestRedact:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            (AADHAAR, "aadhaar"),
            (f"{AADHAAR[:4]} {AADHAAR[4:8]} {AADHAAR[8:]}", "aadhaar"),
            (CARD, "card"),
            ("4111 1111 1111 1111", "card"),
            ("ABCPK1234L", "pan"),
            ("abcpk1234l", "pan"),
            ("HDFC0001234", "ifsc"),
            ("ravi.kumar@okaxis", "upi"),
            ("ravi.kumar@example.co.in", "e-mail"),
            ("ravi@abdm", "abha"),
            ("12-3456-7890-1234", "abha"),
            ("98765 43210", "phone"),
            ("+91-9876543210", "phone"),
            ("09876543210", "phone"),
            ("९८७६५४३२१०", "phone"),
            ("011-23456789", "phone"),
            ("+44 20 7946 0958", "phone"),
            ("CLM/2026/00123", "reference"),
            ("GMC-2026-778899", "reference"),
            ("123456789012345678", "number"),
            ("HDFCN1234567890", "number"),
        ],
    )
    def test_masks_an_identifier_and_nothing_around_it(self, text: str, kind: str) -> None:
        assert redact(f"see {text}, please") == f"see [{kind}], please"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("otp is 482913", "otp is [otp]"),
            ("ओटीपी 4829", "ओटीपी [otp]"),
            ("policy number: 44556677", "policy number: [reference]"),
            ("claim no. is AB12345", "claim no. is [reference]"),
            ("Authorization: Bearer abcdef123456", "Authorization: Bearer [secret]"),
            ("postgres://user:hunter2@db/plan", "postgres://[secret]@db/plan"),
            ("key sk-abcdefghijklmnop1234", "key [secret]"),
        ],
    )
    def test_masks_only_the_value_where_a_word_announces_it(self, text: str, expected: str) -> None:
        assert redact(text) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "The limit is ₹5,00,000 from 1 April 2026 (clause 4.7.1, Excl04).",
            "turn=123e4567-e89b-12d3-a456-426614174000 2026-11-30 13:56:24,123 INFO ok",
            "Call 112, 108, 14416, 155255 or 1800 4254 732, 24x7.",
            "CLM-CASHLESS A-END-07 GRV-OLD",
            "claim 500000 rupees in 30/60 days",
            "policy 2026 renewal",
            "mujhe claim number kaise milega",
        ],
    )
    def test_leaves_what_identifies_nobody(self, text: str) -> None:
        assert redact(text) == text

    def test_does_not_take_twelve_digits_with_a_wrong_check_digit_for_an_identity_number(self) -> None:
        wrong = AADHAAR[:-1] + str((int(AADHAAR[-1]) + 1) % 10)

        assert Identifier.AADHAAR not in {found.kind for found in find_identifiers(wrong)}
        assert wrong not in redact(wrong)  # still a long number, and masked as one

    @given(st.text(alphabet="0123456789 -+@.abcP/₹", max_size=50))
    def test_finds_nothing_new_in_what_it_has_masked(self, text: str) -> None:
        once = redact(text)

        assert redact(once) == once

    @given(st.from_regex(r"[6-9][0-9]{9}", fullmatch=True), st.text(alphabet="ab .,\n", max_size=8))
    def test_never_lets_a_mobile_number_through(self, number: str, around: str) -> None:
        assert number not in redact(f"{around} {number} {around}")


class TestFindIdentifiers:
    def test_gives_places_in_order_and_never_overlapping(self) -> None:
        text = f"{CARD} and ravi@okaxis and {AADHAAR}"

        found = find_identifiers(text)

        assert [one.kind for one in found] == [Identifier.CARD, Identifier.UPI, Identifier.AADHAAR]
        assert [text[one.start : one.end] for one in found] == [CARD, "ravi@okaxis", AADHAAR]
