"""Reads what people write: the date that a text stands for, or why it stands for none.

The reverse of `dates.render`, for text that a reader types. Training does not use it.
"""

import re
from datetime import date
from functools import cache

from lab04.dates import (
    FIRST_YEAR,
    FORMATS,
    LAST_YEAR,
    MONTHS,
    SOURCE_SEPARATOR,
    SPEC,
    WEEKDAYS,
    ordinal,
)


@cache
def _readers() -> list[tuple[str, re.Pattern[str]]]:
    """One regular expression for each format; a group is named after the field it reads."""
    fields = {
        "day": r"(?P<day>[1-9]|[12]\d|3[01])",
        "day02": r"(?P<day>\d\d)",
        "ordinal": r"(?P<ordinal>\d{1,2}(?:st|nd|rd|th))",
        "mm": r"(?P<mm>[1-9]|1[0-2])",
        "mm02": r"(?P<mm>\d\d)",
        "month": f"(?P<month>{'|'.join(MONTHS)})",
        "mon": f"(?P<mon>{'|'.join(m[:3] for m in MONTHS)})",
        "year": r"(?P<year>\d{4})",
        "weekday": f"(?P<weekday>{'|'.join(WEEKDAYS)})",
    }
    return [(f, re.compile(pattern.format(**fields), re.ASCII)) for f, pattern in FORMATS.items()]


def _from_fields(text: str, fields: dict[str, str]) -> date:
    """Build the date that the fields name, or raise ValueError saying which field is wrong."""
    if "mm" in fields:
        month = int(fields["mm"])
        if not 1 <= month <= 12:
            raise ValueError(f"{text!r}: there is no month {month}; the order is year/month/day.")
    else:
        name = fields.get("month") or fields["mon"]
        month = next(i for i, m in enumerate(MONTHS, 1) if m.startswith(name))
    number = int(re.match(r"\d+", fields.get("day") or fields["ordinal"]).group())  # type: ignore[union-attr]
    year = int(fields["year"])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(
            f"{text!r}: the year {year} lies outside {FIRST_YEAR} to {LAST_YEAR}; choose one inside."
        )
    try:
        day = date(year, month, number)
    except ValueError:
        raise ValueError(
            f"{text!r}: {MONTHS[month - 1]} {year} has no day {number}; check the day and the month."
        ) from None
    if fields.get("ordinal", ordinal(number)) != ordinal(number):
        raise ValueError(f"{text!r}: {fields['ordinal']!r} should read {ordinal(number)!r}.")
    if fields.get("weekday", WEEKDAYS[day.weekday()]) != WEEKDAYS[day.weekday()]:
        raise ValueError(f"{text!r}: that date is a {WEEKDAYS[day.weekday()]}, not a {fields['weekday']}.")
    return day


def parse_date(text: str) -> date:
    """Return the date that `text` writes in one of the source formats.

    Raises ValueError, naming the text and the rule, when no format fits it, when the calendar
    has no such day, or when the weekday or the ending of the ordinal contradicts the date.
    """
    for _, reader in _readers():
        if match := reader.fullmatch(text):
            return _from_fields(text, match.groupdict())
    shapes = ", ".join(f["example"] for f in SPEC["formats"])
    raise ValueError(f"{text!r} is not a date in a known format; write it like one of: {shapes}.")


def parse_source(source: str) -> list[date]:
    """Return the dates of a source such as `3 March 2021; 12 May 2020`; ValueError as `parse_date`."""
    return [parse_date(part) for part in source.split(SOURCE_SEPARATOR)]
