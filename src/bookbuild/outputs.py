"""What a cell shows, taken from Jupyter's messages: text, Markdown, SVG or PNG.

HTML is refused: for it, Quarto adds scripts from other hosts to the page.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any

# What a plotting call returns when it is a cell's last line; Quarto drops these too.
PLOT_REPR = re.compile(r"^[\[(]?(<matplotlib|<seaborn|Text\()")
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")


class OutputError(Exception):
    """A page cannot hold this output; the message says what to do."""


@dataclass
class Output:
    """`kind` is "text", "markdown", "svg" (str each) or "png" (bytes)."""

    kind: str
    data: str | bytes


def read_outputs(messages: list[Any], options: dict[str, Any]) -> list[Output]:
    """Turn one cell's messages into outputs, in the order in which they came.

    With `output: asis`, printed text is Markdown; with `warning: false`, stderr is dropped.
    """
    outputs: list[Output] = []
    for message in messages:
        if message["output_type"] == "stream":
            if message["name"] == "stderr" and options.get("warning") is False:
                continue
            outputs.append(Output("markdown" if options.get("output") == "asis" else "text", message["text"]))
        elif output := _read_bundle(message["data"]):
            outputs.append(output)
    for output in outputs:
        if output.kind == "text" and (found := ADDRESS.search(str(output.data))):
            address = found[0].strip()
            raise OutputError(f"the cell prints a memory address ({address}), which differs on every run")
    return outputs


def _read_bundle(data: dict[str, str]) -> Output | None:
    """Choose among the forms of one value as Quarto does, except that HTML is refused."""
    if "text/markdown" in data:
        return Output("markdown", data["text/markdown"])
    if "image/svg+xml" in data:
        return Output("svg", data["image/svg+xml"])
    if "image/png" in data:
        return Output("png", base64.b64decode(data["image/png"]))
    if "text/html" in data:
        raise OutputError(
            "the cell shows text/html, for which Quarto adds scripts from a CDN. "
            "Print text, or show Markdown, SVG or PNG (IPython.display.Markdown, a matplotlib figure)"
        )
    if "text/latex" in data:
        return Output("markdown", data["text/latex"])
    if "text/plain" not in data:
        raise OutputError(f"the cell shows {', '.join(sorted(data))}; show text, Markdown, SVG or PNG")
    text = data["text/plain"]
    return None if PLOT_REPR.match(text) else Output("text", text + "\n")
