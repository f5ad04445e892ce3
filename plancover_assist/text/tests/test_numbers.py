"""Indian numbers and rupee amounts."""

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text.numbers import numbers_in


class TestNumbersIn:
    @pytest.mark.parametrize("text", ["₹5,00,000", "Rs 500000.00", "5 lakh", "5-lakh", "५ लाख", "0.05 crore"])
    def test_gives_one_form_for_one_amount(self, text: str) -> None:
        assert numbers_in(text) == {"500000"}

    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            ("Rs.500000/- only", "500000"),
            ("INR 5,00,000", "500000"),
            ("५,००,००० रुपये", "500000"),
            ("रु. 5,00,000", "500000"),
            ("5 lacs", "500000"),
            ("1.5 crore", "15000000"),
            ("2 करोड़", "20000000"),
            ("50k", "50000"),
            ("50 हज़ार", "50000"),
            ("₹2–5 lakh", "200000 500000"),
            ("between 2 lakh and 3 lakh", "200000 300000"),
            ("1 lakh 50 thousand", "150000"),
        ],
    )
    def test_reads_every_usual_way_of_writing_money(self, text: str, numbers: str) -> None:
        assert numbers_in(text) == set(numbers.split())

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
        forms = (str(number), f"₹{format_decimal(number, locale='en_IN')}", f"{number:,}")

        assert {numbers_in(form) for form in forms} == {frozenset({str(number)})}

    @given(st.text(max_size=60))
    def test_takes_any_text(self, text: str) -> None:
        assert all(number.strip("%").replace(".", "").isdigit() for number in numbers_in(text))
