"""Dates inside questions."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancover_assist.text.dates import find_date, find_dates, format_date

TODAY = date(2026, 11, 30)
DAYS = st.dates(min_value=date(1950, 1, 1), max_value=date(2099, 12, 31))


class TestFindDate:
    @pytest.mark.parametrize(
        "text",
        [
            "31 August 2026",
            "31st August, 2026",
            "31st of Aug",
            "admitted on 31 aug",
            "31Aug2026",
            "Aug 31, 2026",
            "august 31st",
            "2026-08-31",
            "31/08/2026",
            "31-8-26",
            "31.08.2026",
            "08/31/2026",
            "31 agast ko bharti hue the",
            "31 अगस्त को भर्ती",
            "३१ अगस्त २०२६",
        ],
    )
    def test_reads_every_usual_way_of_writing_a_day(self, text: str) -> None:
        assert find_date(text, today=TODAY) == date(2026, 8, 31)

    @pytest.mark.parametrize("text", ["1 सितंबर", "1 सितम्बर", "1 sitambar", "1 sept", "1 Sep. 2026"])
    def test_reads_the_spellings_of_a_month(self, text: str) -> None:
        assert find_date(text, today=TODAY) == date(2026, 9, 1)

    def test_reads_february_with_either_nukta(self) -> None:
        spellings = ("10 फरवरी", "10 फ\u093cरवरी", "10 \u095eरवरी", "10 feb")

        assert {find_date(text, today=TODAY) for text in spellings} == {date(2027, 2, 10)}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("15 jan", date(2027, 1, 15)),
            ("30 nov", date(2026, 11, 30)),
            ("1 june", date(2026, 6, 1)),
            ("2 june", date(2026, 6, 2)),
        ],
    )
    def test_takes_the_nearest_year_where_none_is_given(self, text: str, expected: date) -> None:
        assert find_date(text, today=TODAY) == expected

    def test_takes_the_past_day_where_both_are_equally_near(self) -> None:
        # 183 days after one 1 September and, over a 29 February, 183 days before the next.
        assert find_date("1 sep", today=date(2028, 3, 2)) == date(2027, 9, 1)

    @pytest.mark.parametrize(
        "text",
        [
            "1 may be rejected",
            "5 mai aaya",
            "2 mar gaye",
            "may 3 people join",
            "clause 4.7.12",
            "30/60 days",
            "24/7",
            "₹5 march",
            "Excl04",
            "on 31/02/2026",
            "2026-13-40",
            "numerical limit in 2026",
            "",
        ],
    )
    def test_finds_none_where_none_is_meant(self, text: str) -> None:
        assert find_date(text, today=TODAY) is None

    @pytest.mark.parametrize("text", ["1 may tak", "till 1 May", "May 1st", "1 may 2027", "1 मई को"])
    def test_reads_may_where_it_is_a_month(self, text: str) -> None:
        assert find_date(text, today=TODAY) == date(2027, 5, 1)

    @given(DAYS, st.sampled_from(["en", "hi", "hinglish"]))
    def test_reads_back_what_format_date_writes(self, day: date, lang: str) -> None:
        assert find_date(f"admission {format_date(day, lang)} ko", today=TODAY) == day

    @given(DAYS, st.sampled_from(["%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"]))
    def test_reads_numeric_dates_day_first(self, day: date, layout: str) -> None:
        assert find_date(day.strftime(layout), today=TODAY) == day

    @given(st.text(max_size=60))
    def test_takes_any_text(self, text: str) -> None:
        found = find_date(text, today=TODAY)

        assert found is None or isinstance(found, date)


class TestFindDates:
    def test_gives_all_dates_in_order_with_their_places(self) -> None:
        text = "policy 1.4.2026 to 31 मार्च 2027"

        found = find_dates(text, today=TODAY)

        assert [(one.day, text[one.start : one.end]) for one in found] == [
            (date(2026, 4, 1), "1.4.2026"),
            (date(2027, 3, 31), "31 मार्च 2027"),
        ]

    def test_marks_a_month_that_names_no_day(self) -> None:
        (found,) = find_dates("limit in August 2026", today=TODAY)

        assert (found.day, found.month_only) == (date(2026, 8, 1), True)

    def test_does_not_read_one_date_twice(self) -> None:
        assert len(find_dates("5 August 2026", today=TODAY)) == 1


class TestFormatDate:
    def test_writes_the_month_in_the_readers_language(self) -> None:
        day = date(2026, 9, 1)

        assert format_date(day, "en") == format_date(day, "hinglish") == "1 September 2026"
        assert format_date(day, "hi") == "1 सितंबर 2026"
