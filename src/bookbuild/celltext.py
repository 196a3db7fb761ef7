"""Puts cells and their results into the chapter's Markdown, as Quarto does before pandoc reads it.

A `{python}` cell becomes its code and its outputs; images go to files beside the page. An `{ojs}` cell
becomes the place where the browser will show it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from .errors import BookError
from .ojs import shown
from .prepass import Cell, Line, Source, expand

KNOWN = {
    "echo", "eval", "output", "include", "warning", "label", "fig-cap", "fig-alt", "tbl-cap",
    "code-fold", "code-summary",
}  # fmt: skip
NO_SCRIPT = "This place holds an interactive part, which needs JavaScript."


@dataclass
class Markdown:
    """A page's text for pandoc. `files` maps a path from the site's root to an image's content."""

    lines: list[Line]
    files: dict[str, bytes]

    @cached_property
    def text(self) -> str:
        """The whole text; read it when all lines are there."""
        return "\n".join(line.text for line in self.lines) + "\n"

    def locate(self, needle: str, nth: int = 1) -> tuple[Path, int] | None:
        """Return file and line of the n-th place of `needle` (as a whole word), or None."""
        before = r"(?<![\w-])" if re.match(r"\w", needle) else ""
        after = r"(?![\w-])" if re.match(r"\w", needle[-1:]) else ""
        places = list(re.finditer(before + re.escape(needle) + after, self.text))
        if not places:
            return None
        place = places[min(nth, len(places)) - 1]
        line = self.lines[self.text.count("\n", 0, place.start())]
        return line.file, line.number


def check_options(source: Source, errors: list[BookError]) -> None:
    """Report unknown cell options, labels that cannot name a file, and captions that would get no number."""
    labels: set[str] = set()
    for cell in source.cells():
        label = str(cell.options.get("label", f"cell at line {cell.fence_line}"))
        if "label" in cell.options and not re.fullmatch(r"(?!cell-\d)[A-Za-z][\w-]*", label):
            reason = f"label {label!r} names files and anchors; use letters, digits and hyphens"
            errors.append(BookError(source.file, cell.fence_line, reason))
        if label in labels:
            errors.append(
                BookError(source.file, cell.fence_line, f"duplicate label {label}; each cell needs its own")
            )
        labels.add(label)
        for key in cell.options:
            if key not in KNOWN:
                reason = f"unknown cell option '{key}'; known are {', '.join(sorted(KNOWN))}"
                errors.append(BookError(source.file, cell.fence_line, reason))
        for kind in ("fig", "tbl"):
            if f"{kind}-cap" in cell.options and not str(cell.options.get("label")).startswith(f"{kind}-"):
                reason = f"{kind}-cap without a label; add label: {kind}-…"
                errors.append(BookError(source.file, cell.fence_line, reason))


def weave(
    source: Source, outputs: list[list[Any]], variables: dict[str, Any], errors: list[BookError]
) -> Markdown:
    """Return the page's Markdown; `outputs` has the results of each `{python}` cell, in order."""
    page = Markdown([], {})
    results = iter(outputs)
    count = {"python": 0, "ojs": 0}
    for item in source.items:
        if isinstance(item, Line):
            page.lines.append(item)
            continue
        count[item.language] += 1
        options = dict(item.options)
        for key in {"fig-cap", "tbl-cap", "fig-alt"} & options.keys():
            text = Line(" ".join(str(options[key]).split()), source.file, item.fence_line)
            options[key] = text.text if key == "fig-alt" else expand(text, variables, errors)
        if item.language == "ojs":
            rows = _ojs(item, options, count["ojs"])
        else:
            rows = _python(item, options, next(results), page, source.file, count["python"])
        page.lines += [Line(item.indent + row, source.file, item.fence_line) for row in ["", *rows, ""]]
    return page


def _code(cell: Cell, options: dict[str, Any]) -> list[str]:
    """Return the echoed code as a fenced block, longer than any fence inside it."""
    if options.get("echo", True) is False or not cell.code:
        return []
    attributes = "." + {"python": "python", "ojs": "js"}[cell.language] + " .cell-code"
    fold = options.get("code-fold")
    if fold:
        summary = escape(str(options.get("code-summary", "Code")))
        attributes += f' code-fold="{"show" if fold == "show" else "true"}" code-summary="{summary}"'
    return _fenced(cell.code, "{" + attributes + "}")


def _fenced(text: str, attributes: str = "") -> list[str]:
    ticks = "`" * max([3, *(len(run) + 1 for run in re.findall(r"`+", text))])
    return [ticks + attributes, *text.rstrip("\n").split("\n"), ticks]


def _python(
    cell: Cell, options: dict[str, Any], outputs: list[Any], page: Markdown, file: Path, number: int
) -> list[str]:
    if options.get("include", True) is False:
        return []
    body = _code(cell, options)
    visible = [] if options.get("output", True) is False else outputs
    rows: list[str] = []
    for index, output in enumerate(visible, 1):
        name = f"{options.get('label') or f'cell-{number}'}-{index}"
        rows += _output(output, options, page, file, name)
    label = str(options.get("label", ""))
    if rows and label.startswith(("fig-", "tbl-")):
        rows = _captioned(label, rows, options.get("fig-cap") or options.get("tbl-cap"))
    return [":::::: {.cell}", "", *body, "", *rows, "::::::"] if body or rows else []


def _captioned(label: str, rows: list[str], caption: str | None) -> list[str]:
    """Wrap rows in a div whose last paragraph is the caption."""
    return [f"::::: {{#{label}}}", "", *rows, "", caption or "", "", ":::::", ""]


def _output(output: Any, options: dict[str, Any], page: Markdown, file: Path, name: str) -> list[str]:
    """Return the Markdown of one output; an image is added to the page's files."""
    if output.kind in ("svg", "png"):
        folder = f"{file.stem}_files"
        data = output.data if isinstance(output.data, bytes) else output.data.encode()
        page.files[(file.parent / folder / f"{name}.{output.kind}").as_posix()] = data
        text = escape(str(options.get("fig-alt", "")))
        alt = f'{{fig-alt="{text}"}}' if "fig-alt" in options else ""
        return [f"![]({folder}/{name}.{output.kind}){alt}", ""]
    text = str(output.data)
    if output.kind == "markdown" or options.get("output") == "asis":
        return ["", *text.split("\n"), ""]
    return ["::: {.cell-output .cell-output-stdout}", "", *_fenced(text), "", ":::", ""]


def _ojs(cell: Cell, options: dict[str, Any], number: int) -> list[str]:
    hidden = "" if shown(options) else " hidden"
    place = [
        "```{=html}",
        f'<div class="cell ojs-cell" id="ojs-cell-{number}"{hidden}><div class="ojs-output"></div>',
        f"<noscript><p>{NO_SCRIPT}</p></noscript></div>" if not hidden else "</div>",
        "```",
    ]
    code = _code(cell, options) if options.get("include", True) is not False else []
    if "fig-cap" in options and not hidden:
        place = _captioned(options["label"], place, options["fig-cap"])
    return [*code, "", *place]
