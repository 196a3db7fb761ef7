"""Numbers as text, by one rule, for variables, alt texts and labels; and the parts of a text.

A number is rounded to the asked decimals, but a value below 1 is never printed as 1, and a value that is
not 0 is never printed as 0: it gets as many more decimals as it needs (0.9996 stays 0.9996, 0.00041
becomes 0.0004). The data hold six decimals, so that is the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

MINUS = "\u2212"


def decimal(value: float, places: int = 3) -> str:
    """A number with that many decimals, or more where rounding would turn it into 0 or into 1."""
    while places < 6 and round(value, places) != value and round(abs(value), places) in (0, 1):
        places += 1
    return f"{value:.{places}f}".replace("-", MINUS)


def short(value: float, places: int = 3) -> str:
    """As `decimal`, but exactly 0 is "0" and exactly 1 is "1": for labels with little room."""
    return f"{value:.0f}" if value in (0, 1) else decimal(value, places)


def spread(values: Iterable[float], places: int = 3) -> str:
    """Lowest to highest, "0.950 to 0.996"; one number when both print alike."""
    values = list(values)
    low, high = decimal(min(values), places), decimal(max(values), places)
    return low if low == high else f"{low} to {high}"


def visible(token: str) -> str:
    """An output token as people read it: special tokens by their names, without brackets."""
    return {"<eos>": "end", "<pad>": "pad", "<bos>": "start"}.get(token, token)


def grouped(value: int) -> str:
    """A whole number with commas: 123,456."""
    return f"{value:,}"


def listed(items: Iterable[str]) -> str:
    """Words as an English list: "a", "a and b", "a, b and c"."""
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def spans(text: Sequence[str], separator: str) -> list[tuple[int, int]]:
    """Where the parts between separators stand, half-open, without spaces at their start."""
    cuts = [-1, *(i for i, c in enumerate(text) if c == separator), len(text)]
    found = []
    for before, end in pairwise(cuts):
        start = before + 1
        while start < end and text[start] == " ":
            start += 1
        if start < end:
            found.append((start, end))
    return found
