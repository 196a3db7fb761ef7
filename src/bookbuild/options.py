"""Which options of Quarto this engine knows, and how YAML is read so that an error has its line.

An option that would change the pages and that this engine does not act on is refused. Options that only
concern Quarto's own look are listed in the IGNORED sets and skipped.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from .errors import BookError

TOP = {"project", "website", "format", "bibliography", "csl", "lang", "execute", "toc", "number-sections"}
IGNORED_TOP = {"link-citations"}
PROJECT = {"type", "output-dir", "resources", "render"}
WEBSITE = {
    "title", "description", "navbar", "sidebar", "page-navigation", "page-footer", "favicon", "search",
}  # fmt: skip
HTML = {"css", "toc", "toc-depth", "toc-title", "number-sections", "number-depth", "html-math-method"}
IGNORED_HTML = {"theme"}
PAGE = {
    "title", "subtitle", "description", "lang", "format", "execute", "toc", "toc-depth", "number-sections",
}  # fmt: skip
IGNORED_PAGE = {"jupyter"}


def as_list(value: Any) -> list[Any]:
    """Return YAML's "one or many" as a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def key_line(text: str, key: str) -> int:
    """Return the line of the first `key:` in a YAML text, or 1."""
    match = re.search(rf"^[ \t-]*{re.escape(str(key))}[ \t]*:", text, re.MULTILINE)
    return text.count("\n", 0, match.start()) + 1 if match else 1


def parse_yaml(text: str, file: Path, first_line: int = 1) -> dict[str, Any]:
    """Parse a YAML mapping; a syntax error becomes a BookError on its line."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        raise BookError(file, line, f"invalid YAML: {getattr(error, 'problem', error)}") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise BookError(file, first_line, "expected a mapping of keys to values")
    return data


def section(data: dict[str, Any], key: str, text: str, file: Path, first_line: int = 1) -> dict[str, Any]:
    """Return the mapping under `key`, empty when it is absent; BookError when it is something else."""
    value = data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        line = key_line(text, key) + first_line - 1
        raise BookError(file, line, f"{key} is {value!r}; expected a mapping of keys to values")
    return value


def unknown_keys(
    data: dict[str, Any], known: set[str], where: str, text: str, file: Path, line: int = 1
) -> list[BookError]:
    """Report each key of `data` that is not in `known`; `line` is where `text` begins in the file."""
    return [
        BookError(
            file, key_line(text, key) + line - 1, f"unknown {where} option '{key}'; this engine has no such"
        )
        for key in data
        if key not in known
    ]


def html_options(
    data: dict[str, Any], text: str, file: Path, line: int = 1
) -> tuple[dict[str, Any], list[BookError]]:
    """Return the options under `format: html:` and the errors found in them."""
    formats = data.get("format")
    formats = {formats: {}} if isinstance(formats, str) else section(data, "format", text, file, line)
    errors = unknown_keys(formats, {"html"}, "format", text, file, line)
    html = {} if formats.get("html") == "default" else section(formats, "html", text, file, line)
    errors += unknown_keys(html, HTML | IGNORED_HTML, "html", text, file, line)
    for key in ("toc", "number-sections", "toc-depth"):
        if key in data:
            html.setdefault(key, data[key])
    method = html.get("html-math-method", "mathml")
    if method != "mathml":
        number = key_line(text, "html-math-method") + line - 1
        errors.append(BookError(file, number, f"html-math-method '{method}': use mathml"))
    return html, errors
