"""TeX formulas to MathML, at build time, by the npm package temml.

Each formula is kept under its own hash; whatever is not there yet goes through one Node process.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .cache import digest, write_atomic
from .errors import BookError, BookErrors
from .nodetool import run_tool, tool_digest


@dataclass
class Formula:
    """One formula as it stands in a source file; `line` is where its TeX begins."""

    tex: str
    display: bool
    file: Path
    line: int


def render_math(formulas: list[Formula], cache: Path) -> list[str]:
    """Return one `<math>` element per formula; raise BookErrors for those that temml refuses."""
    version = tool_digest("math.mjs", "temml")
    paths = [cache / "math" / digest(version, str(f.display), f.tex) for f in formulas]
    missing = {path: formula for formula, path in zip(formulas, paths, strict=True) if not path.exists()}
    errors = []
    if missing:
        request = [{"tex": f.tex, "display": f.display} for f in missing.values()]
        for (path, formula), answer in zip(missing.items(), run_tool("math.mjs", request), strict=True):
            if "error" in answer:
                errors.append(_error(formula, answer))
            else:
                write_atomic(path, answer["mathml"])
    if errors:
        raise BookErrors(errors)
    return [path.read_text(encoding="utf-8") for path in paths]


def _error(formula: Formula, answer: dict) -> BookError:
    position = answer["position"] or 0
    line = formula.line + formula.tex.count("\n", 0, position)
    return BookError(formula.file, line, f"{answer['error']} in ${' '.join(formula.tex.split())}$")
