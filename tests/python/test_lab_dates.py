"""The date formats: every form can be read back, and what is not a date is refused with a reason."""

from datetime import date, timedelta

import pytest

from lab04 import dates
from lab04.dates import FORMATS, iso_target, ordinal, render
from lab04.reading import parse_date, parse_source

# 1900 and 2100 are no leap years, 2000 is one
YEARS = [1900, 1904, 1999, 2000, 2023, 2024, 2099]


@pytest.mark.parametrize("year", YEARS)
def test_every_day_of_a_year_can_be_read_back_in_every_format(year: int) -> None:
    day = date(year, 1, 1)
    days = []
    while day.year == year:
        days.append(day)
        day += timedelta(1)
    assert len(days) == (366 if year in (1904, 2000, 2024) else 365)
    for day in days:
        for form in FORMATS:
            assert parse_date(render(day, form)) == day


def test_there_are_enough_formats_and_each_example_shows_its_own() -> None:
    assert len(FORMATS) >= 8
    for entry in dates.SPEC["formats"]:
        assert render(date(2021, 3, 3), entry["id"]) == entry["example"]


def test_no_text_has_two_readings() -> None:
    """Every text that a format writes means one date, whatever other format could read it."""
    meanings: dict[str, date] = {}
    day = date(2011, 1, 1)
    while day.year < 2014:
        for form in FORMATS:
            assert meanings.setdefault(render(day, form), day) == day
        day += timedelta(1)


def test_numeric_forms_put_the_year_first() -> None:
    for form in FORMATS:
        written = render(date(2021, 3, 4), form)
        if not any(c.isalpha() for c in written):
            assert written.startswith("2021")


@pytest.mark.parametrize(
    ("day", "written"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
        (30, "30th"),
        (31, "31st"),
    ],
)
def test_ordinals(day: int, written: str) -> None:
    assert ordinal(day) == written


@pytest.mark.parametrize("text", ["29 February 2000", "29 February 2024", "Tuesday, 29 February 2000"])
def test_leap_days(text: str) -> None:
    assert (parse_date(text).month, parse_date(text).day) == (2, 29)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("29 February 1900", "February 1900 has no day 29"),
        ("29 February 2023", "February 2023 has no day 29"),
        ("31 April 2021", "April 2021 has no day 31"),
        ("00 March 2021", "no day 0"),
        ("2021/13/03", "13"),
        ("2021/00/03", "0"),
        ("3 March 1899", "1899"),
        ("3 March 2100", "2100"),
        ("3th March 2021", "3rd"),
        ("March 11st, 2021", "11th"),
        ("Monday, 3 March 2021", "Wednesday"),
        ("03/04/2021", "known format"),
        ("3 march 2021", "known format"),
        ("3 March 21", "known format"),
        ("3  March 2021", "known format"),
        (" 3 March 2021", "known format"),
        ("3 March 2021\n", "known format"),
        ("٣ March 2021", "known format"),
        ("2021-03-03", "known format"),
        ("hello", "known format"),
        ("", "known format"),
    ],
)
def test_what_is_not_a_date_is_refused_with_the_text_and_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as error:
        parse_date(text)
    assert repr(text) in str(error.value)
    assert reason in str(error.value).replace(repr(text), "")


@pytest.mark.parametrize("text", ["2021/13/03", "2021/00/03"])
def test_a_month_that_does_not_exist_is_not_taken_for_another(text: str) -> None:
    with pytest.raises(ValueError) as error:
        parse_date(text)
    assert not any(month in str(error.value).split("write it like")[0] for month in dates.MONTHS)


def test_sources_and_targets_with_several_dates() -> None:
    source = "3 March 2021; May 12th, 2020; 1931/7/22"
    days = [date(2021, 3, 3), date(2020, 5, 12), date(1931, 7, 22)]
    assert parse_source(source) == days
    assert iso_target(days) == "2021-03-03;2020-05-12;1931-07-22"
    with pytest.raises(ValueError, match="known format"):
        parse_source("3 March 2021; ")


def test_years_keep_four_digits() -> None:
    assert iso_target([date(987, 6, 5)]) == "0987-06-05"
    assert render(date(987, 6, 5), "day-month").endswith(" 0987")
