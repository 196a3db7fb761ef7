"""Dates as people write them, and their ISO form.

Renders a date in each of the source formats of `formats.json`. The calendar is the proleptic Gregorian
one; neither the clock nor the locale plays a part. Leaves out: reading such text back (`reading.py`),
which dates train and which test, and token numbers (`task.py`).
"""

import json
from datetime import date
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


def iso_target(days: list[date]) -> str:
    """Return the target of a source with these dates, e.g. `2021-03-03;2020-05-12`."""
    return TARGET_SEPARATOR.join(d.isoformat() for d in days)
