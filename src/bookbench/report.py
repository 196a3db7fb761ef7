"""A table of measured figures, each with the budget it is held against."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass
class Figure:
    """One measured value, its unit, and the budget as a text; `met` is None where there is no budget."""

    name: str
    value: float
    unit: str
    budget: str = ""
    met: bool | None = None


def at_most(name: str, value: float, unit: str, limit: float) -> Figure:
    """Return a figure whose budget is an upper limit."""
    return Figure(name, value, unit, f"≤ {limit:g}", value <= limit)


def at_least(name: str, value: float, unit: str, limit: float) -> Figure:
    """Return a figure whose budget is a lower limit."""
    return Figure(name, value, unit, f"≥ {limit:g}", value >= limit)


def print_figure(figure: Figure) -> None:
    """Print a figure on one line."""
    mark = {True: "met", False: "MISSED", None: ""}[figure.met]
    print(f"  {figure.name:<58}{figure.value:>9.4g} {figure.unit:<6}{figure.budget:>8}  {mark}", flush=True)


def write_report(path: Path, parts: dict[str, list[Figure]]) -> None:
    """Write all figures as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    values = {part: [asdict(f) for f in figures] for part, figures in parts.items()}
    path.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
