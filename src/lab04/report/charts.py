"""Draw bars by K and loss curves on matplotlib axes, in the colours of a `Palette`.

The models differ by hatching, lightness and dashes as well as by hue. Nothing is computed but means.
Leaves out: heat-maps (`plots.py`), whole figures (`figures.py`), reading the data (`results.py`).
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes

from lab04.report.colours import Palette

LABELS = {"plain": "no attention", "dot": "dot product", "additive": "additive"}


def plot_bars(
    ax: Axes,
    groups: dict[str, dict[str, list[float]]],
    palette: Palette,
    label: Any,
    baseline: dict[str, float] | None = None,
) -> Axes:
    """Draw one bar per group and model: its height the mean over the seeds, each seed a dot.

    groups: group → model → one share per seed. label: turns a mean into the text above the bar.
    baseline: group → share, drawn as a dashed line across the group.
    """
    models = list(next(iter(groups.values())))
    width = 0.86 / len(models)
    for g, by_model in enumerate(groups.values()):
        for m, model in enumerate(models):
            x = g + (m - (len(models) - 1) / 2) * width
            _draw_bar(ax, x, 0.94 * width, by_model[model], model, palette, label)
        if baseline:
            level = list(baseline.values())[g]
            ax.plot([g - 0.46, g + 0.46], [level] * 2, color=palette.role("paper"), linewidth=4.5, zorder=4)
            ax.plot(
                [g - 0.46, g + 0.46],
                [level] * 2,
                color=palette.role("ink"),
                linewidth=2,
                dashes=(3, 2),
                zorder=5,
            )
    ax.set_xticks(range(len(groups)), list(groups))
    ax.set(xlim=(-0.55, len(groups) - 0.45), ylim=(0, 1.02))
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])
    ax.tick_params(axis="x", length=0, pad=6)
    ax.grid(axis="y", color=palette.role("rule"), linewidth=0.8)
    ax.set_axisbelow(True)
    return ax


def bar_style(model: str, palette: Palette) -> dict[str, Any]:
    """How a model's bars look: hatched, dark or mid, so that they differ without colour too."""
    colour = palette.role(model)
    if model == "plain":
        return {"facecolor": palette.role("paper"), "edgecolor": colour, "hatch": "////", "linewidth": 1.5}
    return {"facecolor": colour, "edgecolor": colour, "linewidth": 1.5}


def _draw_bar(
    ax: Axes, x: float, width: float, values: list[float], model: str, palette: Palette, label: Any
) -> None:
    """One bar with its seeds and its label."""
    mean = sum(values) / len(values)
    ax.bar(x, mean, width, **bar_style(model, palette))
    step = width / (len(values) + 1)
    for s, value in enumerate(values):
        ax.plot(
            x - width / 2 + (s + 1) * step,
            value,
            color=palette.role("ink"),
            linestyle="none",
            marker="o",
            markersize=7,
            markerfacecolor=palette.role("ink"),
            markeredgecolor=palette.role("paper"),
            markeredgewidth=1.3,
            clip_on=False,
            zorder=6,
        )
    ax.annotate(
        label(mean), (x, _free(mean, values)), (0, 7), textcoords="offset points", ha="center", size=14
    )


def _free(mean: float, values: list[float], room: float = 0.1) -> float:
    """The lowest place from the mean upwards where a label covers no dot."""
    place = mean
    for value in sorted(values):
        if place < value < place + room:
            place = value
    return place


LINES: dict[str, Any] = {"plain": (0, (1.2, 1.2)), "dot": "-", "additive": (0, (5, 2))}


def plot_loss(ax: Axes, curves: dict[str, list[tuple[list[int], list[float]]]], palette: Palette) -> Axes:
    """Draw training losses over the steps on a logarithmic scale, one line per model and seed.

    curves: model → (steps, losses in nats per token) for each seed.
    """
    for model, runs in curves.items():
        for steps, values in runs:
            ax.plot(steps, values, color=palette.role(model), linestyle=LINES[model], linewidth=2)
    ax.set_yscale("log")
    ax.grid(axis="y", color=palette.role("rule"), linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(which="both", length=0, pad=6)
    ax.minorticks_off()
    return ax
