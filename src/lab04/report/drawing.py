"""From the result files to everything that the chapters include: figures, snippets, variables."""

from __future__ import annotations

import json
from pathlib import Path

from lab04.report.alt_texts import alt_texts
from lab04.report.colours import Themed
from lab04.report.figures import FIGURES
from lab04.report.plotly_map import plotly_maps
from lab04.report.results import load_all
from lab04.report.svg import book_style, to_svg
from lab04.report.variables import to_yaml, variables


def draw_all(data_dir: Path, out_dir: Path) -> list[Path]:
    """Write figures/* and _variables.yml under `out_dir`; return the paths, in order.

    All texts are made before the first file is written, so that bad data (DataError) change nothing.
    """
    results = load_all(data_dir)
    files: dict[str, str] = {}
    for name, (file, draw) in FIGURES.items():
        palette = Themed()
        with book_style(palette):
            files[f"figures/lab04_{name}.svg"] = to_svg(draw(results[file], palette), palette)
    for name, alt in alt_texts(results).items():
        files[f"figures/_lab04_{name}.md"] = snippet(name, alt)
    maps = plotly_maps(results["attention_example"]["examples"][0])
    text = json.dumps(maps, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    files["figures/lab04_attention_example.plotly.json"] = text + "\n"
    files["_variables.yml"] = to_yaml(variables(results))
    return [_write(out_dir / name, text) for name, text in sorted(files.items())]


def snippet(name: str, alt: str) -> str:
    """The Markdown that a chapter includes: Quarto expands no shortcode inside an attribute."""
    escaped = alt.replace("\\", "\\\\").replace('"', '\\"')
    return f'![](/figures/lab04_{name}.svg){{fig-alt="{escaped}"}}\n'


def _write(path: Path, text: str) -> Path:
    """Write a file, unless it already says the same: an unchanged file keeps its time for the caches."""
    data = text.encode()
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path
