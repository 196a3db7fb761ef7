"""Draw attention weights as a heat-map on matplotlib axes.

In the colours of a `Palette`, so that a notebook and the book share one function. Nothing is computed here.
Leaves out: bars and curves (`charts.py`), whole figures (`figures.py`), reading data (`results.py`), torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.path import Path as Outline
from matplotlib.transforms import ScaledTranslation

from lab04.report.colours import Palette
from lab04.report.wording import spans, visible

PRINTED = 0.10  # weights from here on are printed in their cell
# A space would be an empty label: draw the open box that editors use for it.
SPACE = Outline([(-1.0, 0.5), (-1.0, -0.5), (1.0, -0.5), (1.0, 0.5)])


def plot_attention(
    alpha: Sequence[Sequence[float]],
    source: str,
    output: Sequence[str],
    ax: Axes | None = None,
    palette: Palette | None = None,
    size: float = 16,
    numbers: bool = True,
    whole_dates: bool = False,
) -> Axes:
    """Draw attention weights as a heat-map: one row per output token, one column per source character.

    alpha: [T, S], rows that sum to 1 (lists, or anything that indexes like them). source: S characters.
    output: T tokens, the end token among them. Weights of at least 0.10 are printed with two decimals.
    The darker the cell the larger the weight; in a dark theme, the lighter. size: of the text, in points.
    whole_dates: label each date of a source instead of its characters, for maps with many small cells.
    Raises ValueError when the shapes disagree.
    """
    rows = [[float(weight) for weight in row] for row in alpha]
    if len(rows) != len(output) or any(len(row) != len(source) for row in rows):
        raise ValueError(
            f"alpha is {len(rows)} x {len(rows[0]) if rows else 0}, and must have one row for each of the "
            f"{len(output)} output tokens and one column for each of the {len(source)} source characters."
        )
    ax = ax or plt.subplots(figsize=(0.45 * len(source) + 1, 0.4 * len(rows) + 1))[1]
    palette = palette or Palette()
    ax.add_patch(Rectangle((0, 0), len(source), len(rows), facecolor=palette.cell(0), edgecolor="none"))
    for t, row in enumerate(rows):
        _shade_row(ax, palette, t, row)
        for i, weight in enumerate(row):
            if numbers and weight >= PRINTED:
                style: dict[str, Any] = {"size": size, "ha": "center", "va": "center_baseline"}
                ax.text(i + 0.5, t + 0.5, f"{weight:.2f}", color=palette.on_cell(weight), **style)
    _grid(ax, palette, len(source), len(rows))
    label = _date_labels if whole_dates else _character_labels
    label(ax, palette, source, output, size)
    ax.tick_params(length=0, pad=5)
    ax.set(xlim=(0, len(source)), ylim=(len(rows), 0))
    ax.spines[:].set_visible(False)
    return ax


def _shade_row(ax: Axes, palette: Palette, t: int, row: Sequence[float]) -> None:
    """Shade the cells of row t, neighbours of one shade in one piece."""
    i = 0
    for colour, run in groupby(row, key=palette.cell):
        width = len(list(run))
        if colour != palette.cell(0):
            ax.add_patch(Rectangle((i, t), width, 1, facecolor=colour, edgecolor="none", clip_on=False))
        i += width


def _grid(ax: Axes, palette: Palette, columns: int, rows: int) -> None:
    """Thin lines between the cells and around them."""
    style: dict[str, Any] = {"color": palette.role("rule"), "linewidth": 0.8, "zorder": 3}
    ax.vlines(range(columns + 1), 0, rows, clip_on=False, **style)
    ax.hlines(range(rows + 1), 0, columns, clip_on=False, **style)


def _character_labels(ax: Axes, palette: Palette, source: str, output: Sequence[str], size: float) -> None:
    """The source characters above their columns, a space as an open box, and the tokens beside their rows."""
    ax.set_yticks([t + 0.5 for t in range(len(output))], [visible(token) for token in output], fontsize=size)
    ax.xaxis.tick_top()
    ax.set_xticks([i + 0.5 for i in range(len(source))], [c.strip() for c in source], fontsize=size)
    spaces = [i + 0.5 for i, c in enumerate(source) if c == " "]
    above = ScaledTranslation(0, (5 + 0.36 * size) / 72, ax.figure.dpi_scale_trans)
    ax.plot(
        spaces,
        [1.0] * len(spaces),
        transform=ax.get_xaxis_transform() + above,
        marker=SPACE,
        markersize=0.55 * size,
        markerfacecolor="none",
        markeredgecolor=palette.role("muted"),
        markeredgewidth=1.3,
        linestyle="none",
        clip_on=False,
    )


def _date_labels(ax: Axes, palette: Palette, source: str, output: Sequence[str], size: float) -> None:
    """The dates of the source and of the output, each beside a line as long as its columns or rows."""
    ax.xaxis.tick_top()
    columns, rows = spans(source, ";"), spans(output, ";")
    ax.set_xticks([(a + b) / 2 for a, b in columns], [source[a:b] for a, b in columns], fontsize=size)
    texts = ["".join(visible(token) for token in output[a:b] if token != "<eos>") for a, b in rows]
    ax.set_yticks([(a + b) / 2 for a, b in rows], texts, fontsize=size)
    line: dict[str, Any] = {"color": palette.role("muted"), "linewidth": 1.5, "clip_on": False}
    for a, b in columns:
        ax.plot([a + 0.2, b - 0.2], [1.012] * 2, transform=ax.get_xaxis_transform(), **line)
    for a, b in rows:
        ax.plot([-0.007] * 2, [a + 0.2, b - 0.2], transform=ax.get_yaxis_transform(), **line)
