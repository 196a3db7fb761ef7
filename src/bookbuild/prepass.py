"""The pass over a chapter's text before pandoc reads it.

Takes off the front matter, follows `{{< include >}}`, fills in `{{< var >}}`, and lifts out the fences of
`{python}` and `{ojs}` cells. Every line keeps the file and the line number that it came from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .errors import BookError, BookErrors
from .options import parse_yaml

SHORTCODE = re.compile(r"(\{?)\{\{<\s*(.*?)\s*>\}\}(\}?)")
INCLUDE = re.compile(r"^\s*\{\{<\s*include\s+(.+?)\s*>\}\}\s*$")
FENCE = re.compile(r"^([\s>]*?)(`{3,}|~{3,})\s*(.*?)\s*$")
CELL = re.compile(r"^\{([a-zA-Z]\w*)([ ,].*)?\}$")
OPTION = {"python": re.compile(r"^#\| ?(.*)$"), "ojs": re.compile(r"^//\| ?(.*)$")}


@dataclass
class Line:
    """One line of text, and where it stands in the sources."""

    text: str
    file: Path
    number: int


@dataclass
class Cell:
    """One executable cell; `line` is where its code begins, `fence_line` where its fence opens."""

    language: str
    code: str
    options: dict[str, Any]
    line: int
    fence_line: int
    indent: str = ""


@dataclass
class Source:
    """A chapter after the pre-pass."""

    file: Path
    meta: dict[str, Any]
    meta_text: str
    items: list[Line | Cell] = field(default_factory=list)

    def cells(self, language: str | None = None) -> list[Cell]:
        """Return the page's cells, or those of one language, in order."""
        cells = [item for item in self.items if isinstance(item, Cell)]
        return [cell for cell in cells if language in (None, cell.language)]


def read_source(root: Path, file: Path, variables: dict[str, Any]) -> Source:
    """Run the pre-pass on `root/file`; raise BookErrors with every fault found on the way."""
    text = _read(root, file)
    meta_text, first = "", 1
    if match := re.match(r"---[ \t]*\n(.*?\n)?(---|\.\.\.)[ \t]*(\n|\Z)", text, re.DOTALL):
        meta_text = match.group(1) or ""
        first = text.count("\n", 0, match.end()) + 1
        text = text[match.end() :]
    source = Source(file, parse_yaml(meta_text, file, 2), meta_text)
    errors: list[BookError] = []
    lines = _included(root, file, text, first, (file,), errors)
    _lift_cells(source, lines, variables, errors)
    if errors:
        raise BookErrors(errors)
    return source


def _read(root: Path, file: Path) -> str:
    try:
        return (root / file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BookError(file, line, "this line is not UTF-8 text") from None


def _included(
    root: Path, file: Path, text: str, first: int, stack: tuple[Path, ...], errors: list[BookError]
) -> list[Line]:
    """Return the lines of `text` with includes replaced by the lines of the files that they name."""
    lines = []
    for number, row in enumerate(text.removesuffix("\n").split("\n"), first):
        match = INCLUDE.match(row)
        if not match:
            lines.append(Line(row, file, number))
            continue
        name = match.group(1).strip("\"'")
        path = root / name.lstrip("/") if name.startswith("/") else (root / file).parent / name
        path = path.resolve()
        if not path.is_file() or not path.is_relative_to(root.resolve()):
            errors.append(BookError(file, number, f"included file not found: {name}"))
            continue
        inner = path.relative_to(root.resolve())
        if inner in stack:
            errors.append(BookError(file, number, f"{name} includes itself"))
            continue
        lines += _included(root, inner, _read(root, inner), 1, (*stack, inner), errors)
    return lines


def _lift_cells(
    source: Source, lines: list[Line], variables: dict[str, Any], errors: list[BookError]
) -> None:
    """Fill `source.items`: cells become Cell, shortcodes in all other lines are expanded."""
    position = 0
    while position < len(lines):
        line = lines[position]
        fence = FENCE.match(line.text)
        if not fence or (fence.group(2)[0] == "`" and "`" in fence.group(3)):
            source.items.append(Line(expand(line, variables, errors), line.file, line.number))
            position += 1
            continue
        end = _fence_end(lines, position, fence.group(2))
        if end is None:
            errors.append(BookError(line.file, line.number, f"code fence {fence.group(2)} is never closed"))
            return
        cell = CELL.match(fence.group(3))
        if cell:
            inner = lines[position + 1 : end]
            item = _cell(cell, fence.group(1), line, inner, source, errors)
            source.items += [item] if item else []
        else:
            for row in lines[position : end + 1]:
                source.items.append(Line(expand(row, variables, errors), row.file, row.number))
        position = end + 1


def _fence_end(lines: list[Line], start: int, fence: str) -> int | None:
    closing = re.compile(rf"^[\s>]*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
    return next((i for i in range(start + 1, len(lines)) if closing.match(lines[i].text)), None)


def _cell(
    match: re.Match[str],
    indent: str,
    opening: Line,
    inner: list[Line],
    source: Source,
    errors: list[BookError],
) -> Cell | None:
    """Read one cell: its `#|` (or `//|`) lines as YAML, the rest as code."""
    language = match.group(1)
    if language not in OPTION or match.group(2):
        reason = (
            f"unknown cell {match.group(0)}; write {{python}} or {{ojs}}, with options on #| or //| lines"
        )
        errors.append(BookError(opening.file, opening.number, reason))
        return None
    if opening.file != source.file:
        reason = "a cell in an included file; put it in the page itself"
        errors.append(BookError(opening.file, opening.number, reason))
        return None
    rows = [row.text.removeprefix(indent) for row in inner]
    count = 0
    while count < len(rows) and OPTION[language].match(rows[count]):
        count += 1
    text = "\n".join(OPTION[language].sub(r"\1", row) for row in rows[:count])
    try:
        options = parse_yaml(text, opening.file, opening.number + 1)
    except BookError as error:
        errors.append(error)
        return None
    code = "\n".join(rows[count:]).strip("\n")
    blank = next((i for i, row in enumerate(rows[count:]) if row.strip()), 0)
    return Cell(language, code, options, opening.number + 1 + count + blank, opening.number, indent)


def expand(line: Line, variables: dict[str, Any], errors: list[BookError]) -> str:
    """Return the line's text with its shortcodes filled in; `{{{< … >}}}` stands for the shortcode itself."""

    def replace(match: re.Match[str]) -> str:
        if match.group(1) and match.group(3):
            return match.group(0)[1:-1]
        name, _, argument = match.group(2).partition(" ")
        if re.search(r'[{<][^}>]*=\s*"[^"]*$', line.text[: match.start()]):
            reason = "Quarto expands no shortcode inside an attribute"
            errors.append(BookError(line.file, line.number, reason))
        elif name != "var":
            known = "on a line of its own" if name == "include" else "this engine knows include and var"
            errors.append(BookError(line.file, line.number, f"unknown shortcode '{name}': {known}"))
        else:
            value = lookup(variables, argument.strip())
            if value is not None:
                return match.group(1) + value + match.group(3)
            reason = f"unknown variable '{argument}': not in _variables.yml"
            errors.append(BookError(line.file, line.number, reason))
        return match.group(0)

    return SHORTCODE.sub(replace, line.text)


def lookup(variables: dict[str, Any], name: str) -> str | None:
    """Return the value of `a.b.c` in `_variables.yml` as text, or None."""
    value: Any = variables
    for key in name.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is None or isinstance(value, dict | list):
        return None
    return (
        yaml.safe_dump(value).split("\n")[0]
        if isinstance(value, bool | float)
        else " ".join(str(value).split("\n"))
    )
