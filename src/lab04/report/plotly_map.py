"""The example's heat-maps for Plotly, with exact values on hover, as JSON that a page loads only on request.

`demos/plotly-figure.js` draws them: one map at a time, in the colours of the reader's mode.
"""

from __future__ import annotations

from typing import Any

from lab04.measured import ATTENTION
from lab04.report.colours import DARK, LEVELS, LIGHT, shade
from lab04.report.wording import visible

SCORES = {"dot": "dot product", "additive": "additive score"}


def plotly_maps(example: dict[str, Any]) -> dict[str, Any]:
    """One map per model, as `{maps: [{title, data, layout}], colorscales: {light, dark}}`."""
    return {
        "maps": [_map(example, model) for model in ATTENTION],
        "colorscales": {
            mode: [[0, shade(0, colours)], [1, shade(LEVELS, colours)]]
            for mode, colours in (("light", LIGHT), ("dark", DARK))
        },
    }


def _map(example: dict[str, Any], model: str) -> dict[str, Any]:
    """One map as Plotly's data and layout: rows are output tokens, columns are source characters."""
    source, entry = example["source"], example["models"][model]
    tokens = [visible(token) for token in entry["tokens"]]
    places = [f"{'space' if c == ' ' else c} at {i}" for i, c in enumerate(source, 1)]
    trace = {
        "type": "heatmap",
        "z": entry["alpha"],
        "zmin": 0,
        "zmax": 1,
        "xgap": 1,
        "ygap": 1,
        "text": [[f"output {token}, source {place}" for place in places] for token in tokens],
        "hovertemplate": "%{text}<br>weight %{z:.6f}<extra></extra>",
    }
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    layout = {
        "margin": {"l": 50, "r": 10, "t": 40, "b": 10},
        "xaxis": axis | _ticks(["␣" if c == " " else c for c in source]) | {"side": "top", "tickangle": 0},
        "yaxis": axis | _ticks(tokens) | {"autorange": "reversed"},
    }
    return {"title": f"{source} ({SCORES[model]})", "data": [trace], "layout": layout}


def _ticks(labels: list[str]) -> dict[str, Any]:
    return {"tickvals": list(range(len(labels))), "ticktext": labels}
