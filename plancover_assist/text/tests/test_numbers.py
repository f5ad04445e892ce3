"""Indian numbers and rupee amounts."""

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text.numbers import find_amounts, format_inr, group_indian, numbers_in, parse_amount

LAKH = 100_000 * 100  # in paise


class TestFormatInr:
    @pytest.mark.parametrize(
        ("paise", "expected"),
        [
            (0, "₹0"),
            (50_000_000, "₹5,00,000"),
            (12_345_650, "₹1,23,456.50"),
            (5, "₹0.05"),
            (-150, "-₹1.50"),
            (100 * 10**7, "₹1,00,00,000"),
        ],
    )
    def test_groups_as_indians_do_and_shows_paise_where_there_are_any(
        self, paise: int, expected: str
    ) -> None:
        assert format_inr(paise) == expected

    def test_shows_paise_always_on_demand(self) -> None:
        assert format_inr(12_345_600, always_paise=True) == "₹1,23,456.00"

    @given(st.integers(min_value=-(10**13), max_value=10**13))
    def test_is_read_back_as_the_same_amount(self, paise: int) -> None:
        assert parse_amount(format_inr(paise)) == abs(paise)


class TestGroupIndian:
    @given(st.integers(min_value=0, max_value=10**12))
    def test_agrees_with_the_locale_of_india(self, number: int) -> None:
        assert group_indian(number) == format_decimal(number, locale="hi_IN").replace("\u00a0", "")


class TestFindAmounts:
    @pytest.mark.parametrize(
        ("text", "lakhs"),
        [
            ("₹5,00,000", [5]),
            ("Rs. 5 lakh", [5]),
            ("Rs.500000/- only", [5]),
            ("INR 5,00,000", [5]),
            ("५ लाख रुपये", [5]),
            ("५,००,००० रुपये", [5]),
            ("रु. 5,00,000", [5]),
            ("5 lacs", [5]),
            ("1.5 crore", [150]),
            ("2 करोड़", [200]),
            ("50 thousand", [0.5]),
            ("50k", [0.5]),
            ("50 हज़ार", [0.5]),
            ("₹2–5 lakh", [2, 5]),
            ("between 2 lakh and 3 lakh", [2, 3]),
            ("1 lakh 50 thousand", [1.5]),
            ("5,00,000 rupees", [5]),
        ],
    )
    def test_reads_every_usual_way_of_writing_money(self, text: str, lakhs: list[float]) -> None:
        assert find_amounts(text) == [int(amount * LAKH) for amount in lakhs]

    @pytest.mark.parametrize("text", ["30 days", "clause 4.7", "Excl04", "10 %", "2026", "24x7", "5 kids"])
    def test_takes_no_other_figure_for_money(self, text: str) -> None:
        assert find_amounts(text) == []


class TestParseAmount:
    def test_takes_a_bare_number_for_rupees(self) -> None:
        assert parse_amount("40,000") == 4_000_000

    @pytest.mark.parametrize("text", ["", "none", "2 or 3 lakh"])
    def test_gives_nothing_unless_there_is_exactly_one(self, text: str) -> None:
        assert parse_amount(text) is None


class TestNumbersIn:
    @pytest.mark.parametrize("text", ["₹5,00,000", "Rs 500000.00", "5 lakh", "5-lakh", "५ लाख", "0.05 crore"])
    def test_gives_one_form_for_one_amount(self, text: str) -> None:
        assert numbers_in(text) == {"500000"}

    @pytest.mark.parametrize("text", ["10%", "10 %", "10 per cent", "10 percent", "१० प्रतिशत", "10 फ़ीसदी"])
    def test_tells_a_share_from_a_count(self, text: str) -> None:
        assert numbers_in(text) == {"10%"}

    @pytest.mark.parametrize(
        "text", ["31 August 2026", "2026-08-31", "31/08/2026", "31.8.2026", "३१ अगस्त २०२६"]
    )
    def test_gives_one_form_for_one_date(self, text: str) -> None:
        assert numbers_in(text) == {"31", "2026"}

    def test_reads_small_numbers_in_words_but_not_the_pronoun_one(self) -> None:
        assert numbers_in("three reminders, one of them after sixty days") == {"3", "60"}
        assert numbers_in("तीन रिमाइंडर") == {"3"}

    @pytest.mark.parametrize("text", ["Excl04", "A-END-07", "Covid-19", "80D", "GRV"])
    def test_finds_no_figure_inside_an_identifier(self, text: str) -> None:
        assert numbers_in(text) <= {"80"}

    def test_keeps_a_clause_number_whole(self) -> None:
        assert numbers_in("clause 4.7.1 and 4.7") == {"4.7.1", "4.7"}

    def test_sees_a_changed_figure(self) -> None:
        claim, source = "The limit is ₹40,000 per eye.", "The limit for cataract is ₹35,000 for each eye."

        assert numbers_in(claim) - numbers_in(source) == {"40000"}

    @given(st.integers(min_value=1, max_value=10**9))
    def test_reads_a_number_however_it_is_grouped(self, number: int) -> None:
        forms = (str(number), f"₹{group_indian(number)}", f"{number:,}")

        assert {numbers_in(form) for form in forms} == {frozenset({str(number)})}

    @given(st.text(max_size=60))
    def test_takes_any_text(self, text: str) -> None:
        assert all(number.strip("%").replace(".", "").isdigit() for number in numbers_in(text))
