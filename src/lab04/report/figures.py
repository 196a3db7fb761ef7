"""The five figures of the lab's results: put together from `plots.py` and `charts.py`, in the book's style.

Each function takes one result file's contents and a palette and returns a matplotlib figure whose points
are CSS pixels. Text stays legible when the book shows a figure at half its width, on a phone.
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from lab04.measured import ATTENTION, KS, MODELS, TOLERANCES
from lab04.report.charts import LABELS, LINES, bar_style, plot_bars, plot_loss
from lab04.report.colours import Palette
from lab04.report.plots import plot_attention
from lab04.report.results import seeds_of
from lab04.report.svg import UNIT
from lab04.report.wording import short

WIDTH = 640  # CSS pixels
Results = dict[str, Any]


def _figure(height: float) -> Figure:
    return Figure(figsize=(WIDTH / UNIT, height / UNIT))


def _axes(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Axes at a place given in pixels from the top left."""
    tall = figure.get_figheight() * UNIT
    return figure.add_axes((left / WIDTH, 1 - (top + height) / tall, width / WIDTH, height / tall))


def attention_example(data: Results, palette: Palette) -> Figure:
    """The example's map, dot-product model, with its weights printed."""
    example = data["examples"][0]
    entry = example["models"]["dot"]
    columns, rows = len(example["source"]), len(entry["tokens"])
    cell = (WIDTH - 66) / columns
    tall = min(cell, 38)
    figure = _figure(58 + rows * tall + 42)
    ax = _axes(figure, 64, 58, columns * cell, rows * tall)
    plot_attention(entry["alpha"], example["source"], entry["tokens"], ax, palette, size=17)
    _titles(ax, palette)
    _scale(figure, palette)
    return figure


def _titles(ax: Axes, palette: Palette) -> None:
    """Say what the columns and the rows are."""
    style: dict[str, Any] = {"size": 15, "color": palette.role("muted")}
    ax.annotate("source", (0, 1), (0, 34), ("axes fraction", "axes fraction"), "offset points", **style)
    ax.annotate("output", (0, 1), (-58, 10), ("axes fraction", "axes fraction"), "offset points", **style)


def _scale(figure: Figure, palette: Palette) -> None:
    """The shading for 0 to 1, at the bottom right."""
    steps, side, right = 11, 18, WIDTH - 26
    tall = figure.get_figheight() * UNIT
    ax = _axes(figure, right - steps * side, tall - 30, steps * side, 18)
    for i in range(steps):
        ax.add_patch(Rectangle((i, 0), 1.01, 1, facecolor=palette.cell(i / (steps - 1)), edgecolor="none"))
    ax.add_patch(Rectangle((0, 0), steps, 1, facecolor="none", edgecolor=palette.role("rule"), linewidth=0.8))
    ax.set(xlim=(0, steps), ylim=(0, 1))
    ax.set_axis_off()
    style: dict[str, Any] = {"size": 15, "color": palette.role("muted"), "va": "center_baseline"}
    ax.text(-0.5, 0.5, "weight 0", ha="right", **style)
    ax.text(steps + 0.5, 0.5, "1", ha="left", **style)


def attention_tests(data: Results, palette: Palette) -> Figure:
    """The test sources' maps, dot-product model, one below the other, each at most as wide as the page."""
    maps = [(test, test["models"]["dot"]) for test in data["examples"][1:]]
    lefts = [64 if test["k"] == 1 else 112 for test, _ in maps]
    cells = [
        min((WIDTH - left - 2) / len(test["source"]), 26) for left, (test, _) in zip(lefts, maps, strict=True)
    ]
    heights = [len(entry["tokens"]) * min(c, 22) for c, (_, entry) in zip(cells, maps, strict=True)]
    figure = _figure(sum(heights) + 84 * len(maps) + 30)
    top = 0.0
    for n, ((test, entry), left, cell, height) in enumerate(zip(maps, lefts, cells, heights, strict=True)):
        top += 64
        ax = _axes(figure, left, top, len(test["source"]) * cell, height)
        plot_attention(
            entry["alpha"],
            test["source"],
            entry["tokens"],
            ax,
            palette,
            size=min(15, 0.72 * cell) if test["k"] == 1 else 15,
            numbers=False,
            whole_dates=test["k"] > 1,
        )
        note = "" if entry["correct"] else f": wrong, the date is {test['gold']}"
        place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
        ax.annotate(f"({chr(97 + n)}){note}", (0, 1), (-left, 36), size=16, **place)
        top += height + 20
    _scale(figure, palette)
    return figure


def exact_match(data: Results, palette: Palette) -> Figure:
    """Exact match by K: a bar per model with its mean, a dot per seed."""
    figure = _figure(400)
    ax = _axes(figure, 36, 74, WIDTH - 42, 268)
    groups = {f"K = {k}": {m: [run["exact_match"][k] for run in _runs(data, m)] for m in MODELS} for k in KS}
    plot_bars(ax, groups, palette, short)
    ax.set_xlabel("dates in the source", labelpad=6, color=palette.role("muted"))
    _legend(figure, palette, MODELS, 8)
    return figure


def _runs(data: Results, model: str) -> list[Results]:
    return [data["models"][model]["seeds"][seed] for seed in seeds_of(data)]


def _legend(
    figure: Figure, palette: Palette, models: tuple[str, ...], top: float, more: tuple[Any, ...] = ()
) -> None:
    """Models by their bars, and the dot that stands for a seed, in one row at the top."""
    dot = Line2D(
        [], [], marker="o", linestyle="none", markersize=7, color=palette.role("ink"), label="one seed"
    )
    handles = [Patch(label=LABELS[m], **bar_style(m, palette)) for m in models]
    tall = figure.get_figheight() * UNIT
    figure.legend(
        handles=[*handles, dot, *more],
        loc="upper left",
        bbox_to_anchor=(0.0, 1 - top / tall),
        ncols=len(handles) + 1 + len(more),
        frameon=False,
        fontsize=15.5,
        handlelength=1.2,
        handletextpad=0.45,
        columnspacing=1.1,
        borderpad=0.2,
    )


def loss(data: Results, palette: Palette) -> Figure:
    """Training loss over the steps, all seeds."""
    figure = _figure(400)
    ax = _axes(figure, 76, 44, WIDTH - 104, 296)
    curves = {m: [(run["loss"]["step"], run["loss"]["value"]) for run in _runs(data, m)] for m in MODELS}
    plot_loss(ax, curves, palette)
    last = max(steps[-1] for runs in curves.values() for steps, _ in runs)
    ax.set_xlim(0, last)
    ax.set_xticks([last * i // 4 for i in range(5)], [f"{last * i // 4:,}" for i in range(5)])
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:.9f}".rstrip("0").rstrip("."))
    ax.axhline(data["ln_vocab"], color=palette.role("ink"), linewidth=1.2, dashes=(2, 3))
    ax.annotate(
        f"ln {data['vocab']}",
        (last, data["ln_vocab"]),
        (0, 5),
        textcoords="offset points",
        ha="right",
        size=15,
    )
    ax.set_xlabel("training steps", labelpad=6, color=palette.role("muted"))
    handles = [
        Line2D([], [], color=palette.role(m), linestyle=LINES[m], linewidth=2.4, label=LABELS[m])
        for m in MODELS
    ]
    figure.legend(
        handles=handles, loc="upper left", ncols=3, frameon=False, fontsize=15.5, borderpad=0.2,
        handlelength=2.4, handletextpad=0.5, columnspacing=1.6, bbox_to_anchor=(0, 1),
    )  # fmt: skip
    return figure


def hit_rate(data: Results, palette: Palette) -> Figure:
    """Hit rate by K, one panel for each tolerance, beside a position drawn uniformly."""
    figure = _figure(600)
    uniform = Line2D([], [], color=palette.role("ink"), linewidth=2, dashes=(3, 2), label="drawn uniformly")
    _legend(figure, palette, ATTENTION, 6, (uniform,))
    for n, tol in enumerate(TOLERANCES):
        ax = _axes(figure, 36, 84 + 262 * n, WIDTH - 42, 190)
        groups = {
            f"K = {k}": {m: [run["hit_rate"][tol][k] for run in _runs(data, m)] for m in ATTENTION}
            for k in KS
        }
        plot_bars(ax, groups, palette, short, {k: data["uniform"][tol][k] for k in KS})
        ax.annotate(f"tolerance {tol}", (0, 1), (-36, 24), ("axes fraction",) * 2, "offset points", size=16)
    return figure


FIGURES = {
    "attention_example": ("attention_example", attention_example),
    "attention_tests": ("attention_example", attention_tests),
    "exact_match": ("exact_match", exact_match),
    "loss": ("training", loss),
    "hit_rate": ("alignment", hit_rate),
}
