"""Write a matplotlib figure as an SVG for the book: small, the same bytes every time, light and dark.

Text becomes outlines of the book's own sans-serif (Inter, which the site also serves), so that a figure
looks the same everywhere. The stand-in colours of `colours.Themed` become CSS variables inside the file,
which follow `prefers-color-scheme`; in an `<img>` that is the page's own colour scheme.
Leaves out: what is drawn (`plots.py`).
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from matplotlib import font_manager
from matplotlib.figure import Figure

from lab04.provenance import ROOT
from lab04.report.colours import Themed

FONT = Path("node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2")
FAMILY = "LabInter"
WEIGHT = 450
UNIT = 72  # at 72 dots per inch a point of matplotlib is a CSS pixel


def font_file() -> Path:
    """The book's sans-serif at the figures' weight as TrueType, made once under build/fonts.

    Raises FileNotFoundError, with the remedy, when the npm packages are not installed.
    """
    source = ROOT / FONT
    if not source.is_file():
        raise FileNotFoundError(
            f"{FONT} is missing: the figures' font comes with the npm packages; run `npm ci`."
        )
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    target = ROOT / "build" / "fonts" / f"{FAMILY}-{WEIGHT}-{digest}.ttf"
    if not target.is_file():
        font = instantiateVariableFont(TTFont(source), {"wght": WEIGHT})
        for record in font["name"].names:
            if record.nameID in (1, 4, 6, 16):
                record.string = FAMILY
        font["OS/2"].usWeightClass = 400  # what matplotlib looks for
        font.flavor = None
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}")
        font.save(partial)
        partial.replace(target)
    return target


@contextmanager
def book_style(palette: Themed) -> Iterator[None]:
    """Settings under which the book's figures are drawn; those of the caller come back afterwards."""
    font_manager.fontManager.addfont(font_file())
    settings: Any = {
        "font.family": FAMILY,
        "font.size": 16,
        "figure.dpi": UNIT,
        "svg.fonttype": "path",
        "svg.hashsalt": "lab04",
        "path.simplify": True,
        "text.color": palette.role("ink"),
        "axes.edgecolor": palette.role("muted"),
        "axes.labelcolor": palette.role("ink"),
        "xtick.color": palette.role("muted"),
        "ytick.color": palette.role("muted"),
        "xtick.labelcolor": palette.role("ink"),
        "ytick.labelcolor": palette.role("ink"),
        "hatch.color": palette.role("plain"),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.unicode_minus": True,
    }
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(settings)
        yield


def to_svg(figure: Figure, palette: Themed) -> str:
    """The figure as SVG text, its stand-ins replaced by CSS variables with a light and a dark value."""
    stream = io.StringIO()
    empty = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(stream, format="svg", transparent=True, dpi=UNIT, metadata=empty)
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :]  # no DOCTYPE: it names a host and browsers ignore it
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', svg)
    svg = re.sub(rf"{Themed.MARK}([0-9a-f]{{3}})\b", lambda m: f"var(--c{int(m[1], 16)})", svg)
    svg = re.sub(r"\s*<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    start = svg.index(">") + 1
    return svg[:start] + _style(palette) + _small(svg[start:])


def _style(palette: Themed) -> str:
    """The style sheet of one figure."""
    light = ";".join(f"--c{i}:{pair[0]}" for i, pair in enumerate(palette.pairs))
    dark = ";".join(f"--c{i}:{pair[1]}" for i, pair in enumerate(palette.pairs))
    return (
        "\n<style>*{stroke-linejoin:round;stroke-linecap:butt}"
        f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>\n"
    )


def _small(svg: str) -> str:
    """The same drawing in fewer bytes: positions to a hundredth, no names, no indentation."""
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r' id="(?!Lab|[a-z]*[0-9a-f]{10})[^"]*"', "", svg)
    svg = re.sub(r' d="([^"]*)"', lambda m: f' d="{_short_numbers(m[1])}"', svg)
    svg = re.sub(r"translate\([^)]*\)", lambda m: _short_numbers(m[0]), svg)
    svg = re.sub(r"; stroke-linejoin: (?:miter|round)|; stroke-linecap: \w+", "", svg)
    svg = re.sub(r'style="([^"]*)"', lambda m: f'style="{m[1].replace(": ", ":").replace("; ", ";")}"', svg)
    while (inner := re.sub(r"<g>\s*((?:(?!</?g).)*?)\s*</g>", r"\1", svg, flags=re.DOTALL)) != svg:
        svg = inner
    return re.sub(r"\s*\n\s*", "\n", svg).strip() + "\n"


def _short_numbers(text: str) -> str:
    """Numbers with at most two decimals, and no space that SVG does not need."""
    text = re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m[0]), 2) + 0.0:g}", text)
    return re.sub(r"\s*([A-Za-z(),])\s*", r"\1", re.sub(r"\s+", " ", text)).strip()
