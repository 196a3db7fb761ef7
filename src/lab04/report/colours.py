"""The colours of the figures, in light and in dark.

A `Palette` gives the colour of a role: "ink" for text, "dot" for the dot-product model, and so on, and of
an attention weight. The shading of the heat-map is one hue whose luminance moves one way from weight 0 to
weight 1, so that it reads in greyscale too; numbers on it are black or white, whichever stands out more.
`Themed` gives stand-ins that `svg.py` turns into CSS variables with a light and a dark value.
"""

from __future__ import annotations

Hex = str
LEVELS = 50  # the shading has steps of 0.02

# Those of `THEME` are the colours of the site, under its names in `tokens.css`; a test compares them.
THEME = {"ink": "ink", "muted": "muted", "rule": "rule", "paper": "page", "surface": "surface"}
THEME |= {"key": "key", "context": "context"}
LIGHT: dict[str, Hex] = {
    "ink": "#1d1f24",
    "muted": "#595854",
    "rule": "#d9d3c6",
    "paper": "#fcfbf8",
    "surface": "#f5f2eb",
    "key": "#1f5ab3",
    "context": "#a24a06",
    "plain": "#6b7280",
    "dot": "#1d4f9e",
    "additive": "#c2691c",
    "full": "#0b3b82",  # weight 1
    "none": "#fcfbf8",  # weight 0
}
DARK: dict[str, Hex] = {
    "ink": "#e6e3dc",
    "muted": "#a9a69f",
    "rule": "#3a3f49",
    "paper": "#15171b",
    "surface": "#1d2026",
    "key": "#7fb0ff",
    "context": "#f2a65a",
    "plain": "#9aa3af",
    "dot": "#a9cbff",
    "additive": "#dd8a3e",
    "full": "#d6e6ff",
    "none": "#15171b",
}
BLACK, WHITE = "#000000", "#ffffff"


def luminance(colour: Hex) -> float:
    """Relative luminance of a colour, 0 to 1 (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Hex, b: Hex) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def level(weight: float) -> int:
    """The step of the shading for a weight; any weight is shown within 0 to 1."""
    return round(min(max(weight, 0.0), 1.0) * LEVELS)


def shade(step: int, colours: dict[str, Hex]) -> Hex:
    """The colour of one step of the shading."""
    start, end = colours["none"], colours["full"]
    mixed = [
        round(
            int(start[i : i + 2], 16) + (int(end[i : i + 2], 16) - int(start[i : i + 2], 16)) * step / LEVELS
        )
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def on_shade(step: int, colours: dict[str, Hex]) -> Hex:
    """Black or white, whichever has more contrast with the shading; never less than 4.58."""
    return max(BLACK, WHITE, key=lambda colour: contrast(colour, shade(step, colours)))


class Palette:
    """Plain colours for one mode, for a notebook or a slide."""

    def __init__(self, colours: dict[str, Hex] = LIGHT) -> None:
        self.colours = colours

    def role(self, name: str) -> Hex:
        """The colour of a role, such as "ink"."""
        return self.colours[name]

    def cell(self, weight: float) -> Hex:
        """The shading for an attention weight."""
        return shade(level(weight), self.colours)

    def on_cell(self, weight: float) -> Hex:
        """The colour of a number printed on that shading."""
        return on_shade(level(weight), self.colours)


class Themed(Palette):
    """Stand-ins: for each pair of a light and a dark colour, one that nothing else uses."""

    MARK = "#fe0"

    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[tuple[Hex, Hex]] = []

    def _stand_in(self, light: Hex, dark: Hex) -> Hex:
        if (light, dark) not in self.pairs:
            self.pairs.append((light, dark))
        return f"{self.MARK}{self.pairs.index((light, dark)):03x}"

    def role(self, name: str) -> Hex:
        """The stand-in for a role's two colours."""
        return self._stand_in(LIGHT[name], DARK[name])

    def cell(self, weight: float) -> Hex:
        """The stand-in for a weight's two shades."""
        return self._stand_in(shade(level(weight), LIGHT), shade(level(weight), DARK))

    def on_cell(self, weight: float) -> Hex:
        """The stand-in for the number's two colours."""
        return self._stand_in(on_shade(level(weight), LIGHT), on_shade(level(weight), DARK))
