"""`{ojs}` cells, compiled at build time to one ES module per page.

The module hands the page's cells to ojs-client.js, which runs them on Observable's runtime.
Refused, with the line: `mutable`, `import {…} from`, and every builtin that Quarto fetches from a CDN.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .cache import digest, write_atomic
from .errors import BookError, BookErrors
from .nodetool import run_tool, tool_digest
from .prepass import Cell


def compile_pages(pages: list[tuple[Path, list[Cell]]], cache: Path) -> list[str]:
    """Return one module's text per page, with one Node process for all pages that changed.

    Block N of a page (from 1) shows its cells in the element with id `ojs-cell-N`. A block with
    `output: false` or `include: false` runs and shows nothing; one with `eval: false` does not run.
    Raise BookErrors with the first fault of each page.
    """
    version = tool_digest("ojs.mjs", "@observablehq/notebook-kit", "@observablehq/parser")
    requests = [[_request(block) for block in blocks] for _, blocks in pages]
    keys = [digest(version, *(f"{block['show']}{block['code']}" for block in page)) for page in requests]
    paths = [cache / "ojs" / f"{key}.js" for key in keys]
    missing = [index for index, path in enumerate(paths) if not path.exists()]
    if missing:
        answers = run_tool("ojs.mjs", [requests[index] for index in missing])
        errors = []
        for index, answer in zip(missing, answers, strict=True):
            if "error" in answer:
                errors.append(BookError(pages[index][0], answer["line"], f"OJS: {answer['error']}"))
            else:
                write_atomic(paths[index], _module(answer["cells"]))
        if errors:
            raise BookErrors(errors)
    return [path.read_text(encoding="utf-8") for path in paths]


def shown(options: dict[str, Any]) -> bool:
    """Say whether a block with these options shows what its cells return."""
    return all(options.get(name, True) is not False for name in ("output", "include", "eval"))


def _request(block: Cell) -> dict[str, Any]:
    runs = block.options.get("eval", True) is not False
    return {"code": block.code if runs else "", "line": block.line, "show": shown(block.options)}


def _module(cells: list[dict[str, Any]]) -> str:
    """Write the cells as source text, so that the page needs no eval."""
    lines = ['import { mount } from "bookbuild:ojs-client";', "mount(["]
    for cell in cells:
        facts = json.dumps({name: cell[name] for name in ("block", "name", "show", "view", "inputs")})
        lines.append(f'{facts[:-1]}, "body": {cell["body"]}}},')
    return "\n".join([*lines, "]);", ""])
