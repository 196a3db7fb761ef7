"""System fonts made to take the space of the book's fonts until these arrive.

`size-adjust` gives a local font the average width of the web font, the overrides its line box, so
that the swap moves nothing. Widths are averages over English letter frequencies, per em; the web
font's are read from its file. Those of the systems' fonts are listed, since a build machine has few
of them: Times and Arial as Chromium set a chapter's text beside ours, kerning and all (so one or two
per cent above the plain average), the others by their ratio to these two.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# Occurrences per thousand characters of English text.
FREQUENCIES = {
    " ": 170, "e": 104, "t": 74, "a": 66, "o": 62, "n": 58, "i": 58, "s": 52, "r": 49, "h": 45, "l": 34,
    "d": 32, "c": 25, "u": 24, "m": 21, "f": 18, "g": 17, "p": 16, "w": 15, "y": 14, "b": 13, ",": 10,
    ".": 10, "v": 9, "k": 6,
}  # fmt: skip
BOLD = 650


@dataclass(frozen=True)
class Local:
    """A system font: the names that systems give it, and its average widths per em."""

    suffix: str
    names: tuple[str, ...]
    regular: float
    italic: float
    bold: float


LOCALS = {
    "Source Serif 4": (
        Local("Georgia", ("Georgia",), 0.443, 0.443, 0.501),
        Local("Times", ("Times New Roman", "Liberation Serif", "Tinos"), 0.4033, 0.4032, 0.4285),
        Local("Noto", ("Noto Serif",), 0.478, 0.442, 0.515),
    ),
    "Inter": (
        Local("Arial", ("Arial", "Liberation Sans", "Arimo", "Helvetica"), 0.4407, 0.4407, 0.4753),
        Local("Roboto", ("Roboto",), 0.440, 0.440, 0.4533),
    ),
}


def fallback_css(family: str, files: Path, package: str, italic: bool) -> str:
    """Return the @font-face rules of a family's stand-ins, named "FAMILY SUFFIX".

    A family without an `italic` face of its own is slanted by the browser, at the upright's widths.
    """
    upright = files / f"{package}-latin-wght-normal.woff2"
    slanted = files / f"{package}-latin-wght-italic.woff2"
    widths = {
        "regular": average_width(upright, 400),
        "italic": average_width(slanted if italic else upright, 400),
        "bold": average_width(upright, BOLD),
    }
    hhea = TTFont(upright, lazy=True)["hhea"]
    em = TTFont(upright, lazy=True)["head"].unitsPerEm
    box = (hhea.ascent / em, -hhea.descent / em, hhea.lineGap / em)
    rules = []
    for local in LOCALS[family]:
        for style, width in widths.items():
            rules.append(_rule(f"{family} {local.suffix}", local, style, width, box))
    return "\n".join(rules)


def average_width(path: Path, weight: float) -> float:
    """Return the average advance per em of English text in a variable font at one weight."""
    font = TTFont(path)
    for table in {"GPOS", "GSUB", "GDEF", "MVAR"} & set(font.keys()):
        del font[table]
    subsetter = subset.Subsetter()
    subsetter.populate(text="".join(FREQUENCIES))
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, {"wght": weight})
    cmap, advances = font.getBestCmap(), font["hmtx"]
    total = sum(advances[cmap[ord(letter)]][0] * count for letter, count in FREQUENCIES.items())
    return total / sum(FREQUENCIES.values()) / font["head"].unitsPerEm


def _rule(name: str, local: Local, style: str, width: float, box: tuple[float, float, float]) -> str:
    """Return one stand-in's rule. The overrides count in the adjusted size, so they are divided by it."""
    adjust = width / getattr(local, style)
    suffix = {"regular": "", "italic": " Italic", "bold": " Bold"}[style]
    sources = ",".join(f'local("{system}{suffix}")' for system in local.names)
    weight = {"regular": "400 599", "italic": "400 700", "bold": "600 700"}[style]
    ascent, descent, gap = (f"{100 * value / adjust:.2f}%" for value in box)
    return (
        f'@font-face{{font-family:"{name}";font-style:{"italic" if style == "italic" else "normal"};'
        f"font-weight:{weight};size-adjust:{100 * adjust:.2f}%;ascent-override:{ascent};"
        f"descent-override:{descent};line-gap-override:{gap};src:{sources}}}"
    )
