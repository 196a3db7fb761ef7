"""Dates as people write them, and their ISO form.

Renders a date in each of the source formats of `formats.json` and reads such text back.
The calendar is the proleptic Gregorian one; neither the clock nor the locale plays a part.
Leaves out: which dates train and which test, and token numbers (`task.py`).
"""

import json
import re
from datetime import date
from functools import cache
from pathlib import Path

SPEC = json.loads((Path(__file__).parent / "formats.json").read_text(encoding="utf-8"))
FORMATS: dict[str, str] = {f["id"]: f["pattern"] for f in SPEC["formats"]}
MONTHS: list[str] = SPEC["months"]
WEEKDAYS: list[str] = SPEC["weekdays"]
FIRST_YEAR: int = SPEC["first_year"]
LAST_YEAR: int = SPEC["last_year"]
SOURCE_SEPARATOR: str = SPEC["source_separator"]
TARGET_SEPARATOR: str = SPEC["target_separator"]


def ordinal(day: int) -> str:
    """Return the day of the month with its English ending: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def render(day: date, format_id: str) -> str:
    """Return `day` in one source format; KeyError when the format is not in `formats.json`."""
    month = MONTHS[day.month - 1]
    return FORMATS[format_id].format(
        day=day.day,
        day02=f"{day.day:02}",
        ordinal=ordinal(day.day),
        mm=day.month,
        mm02=f"{day.month:02}",
        month=month,
        mon=month[:3],
        year=f"{day.year:04}",
        weekday=WEEKDAYS[day.weekday()],
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


def iso_target(days: list[date]) -> str:
    """Return the target of a source with these dates, e.g. `2021-03-03;2020-05-12`."""
    return TARGET_SEPARATOR.join(d.isoformat() for d in days)


def parse_source(source: str) -> list[date]:
    """Return the dates of a source such as `3 March 2021; 12 May 2020`; ValueError as `parse_date`."""
    return [parse_date(part) for part in source.split(SOURCE_SEPARATOR)]
