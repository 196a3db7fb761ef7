"""A small language for the shape of JSON data, with errors that name the place and the rule.

A dictionary lists keys that must be there, each with its shape; others are allowed. `Each` stands for any
keys of one shape, a list with one item for any number of such items, and a function looks at one value and
returns the rule that it breaks, or None.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Each:
    """A dictionary with at least one key, whose values all have one shape."""

    shape: Any


def number(value: Any) -> str | None:
    """Any finite number."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return None if good else "must be a number"


def share(value: Any) -> str | None:
    """A number from 0 to 1."""
    return None if number(value) is None and 0 <= value <= 1 else "must be a number from 0 to 1"


def count(value: Any) -> str | None:
    """A whole number, 0 or more."""
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if good else "must be a whole number, 0 or more"


def text(value: Any) -> str | None:
    """A string."""
    return None if isinstance(value, str) else "must be a string"


def truth(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "must be true or false"


def anything(value: Any) -> str | None:
    """No rule."""
    return None


def keyed(keys: tuple[str, ...], shape: Any) -> dict[str, Any]:
    """The same shape under each of the keys."""
    return dict.fromkeys(keys, shape)


def faults(value: Any, shape: Any, where: str = "") -> Iterator[str]:
    """Every place where the value does not have the shape, in words."""
    if callable(shape):
        if rule := shape(value):
            yield f"{where} is {str(value)[:40]!r} and {rule}"
    elif isinstance(shape, list):
        if not isinstance(value, list) or not value:
            yield f"{where} must be a list with at least one item"
        else:
            for i, item in enumerate(value):
                yield from faults(item, shape[0], f"{where}[{i}]")
    elif not isinstance(value, dict):
        yield f"{where or 'the file'} must be an object"
    elif isinstance(shape, Each):
        if not value:
            yield f"{where} must not be empty"
        for key, item in value.items():
            yield from faults(item, shape.shape, f"{where}.{key}")
    else:
        for key, inner in shape.items():
            place = f"{where}.{key}" if where else key
            if key not in value:
                yield f"the field {place} is missing"
            else:
                yield from faults(value[key], inner, place)
