"""One run of pandoc for a page: Markdown in, the parts of the page's HTML out.

The result is kept under the hash of all that goes in, so that an unchanged page runs no pandoc.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import asdict, dataclass
from functools import cache as once
from pathlib import Path
from typing import Any

import pypandoc

from .cache import digest, files_digest, write_atomic
from .celltext import Markdown
from .config import Site
from .errors import BookError, BookErrors

HERE = Path(__file__).parent
BREAK = "<!-- part of a bookbuild page -->"
TEMPLATE = f"\n{BREAK}\n".join(("$title$", "$subtitle$", "$description$", "$table-of-contents$", "$body$"))
PATIENCE = 120  # seconds for one page; the longest chapter takes two
HEAD = 3  # lines that stand before the page's own in what pandoc reads
MISSING_CITATION = re.compile(r"\[WARNING\] Citeproc: citation (.+?) not found")


@dataclass
class Parts:
    """What pandoc made of a page, all of it HTML."""

    title: str
    subtitle: str
    description: str
    toc: str
    body: str


@once
def engine_digest() -> str:
    """Hash the code that shapes pandoc's output."""
    return files_digest([*sorted(HERE.glob("*.lua")), HERE / "pandoc.py"]) + pypandoc.get_pandoc_version()


def render(
    site: Site, page: Markdown, file: Path, meta: dict[str, Any], options: dict[str, Any], cache: Path
) -> Parts:
    """Return the page's parts; raise BookErrors with everything that the filter or citeproc found wrong."""
    bibliography = [site.root / name for name in site.bibliography]
    csl = [site.root / site.csl] if site.csl else []
    head = {key: meta[key] for key in ("title", "subtitle", "description") if key in meta}
    settings = {
        "book-root": "../" * (len(file.parts) - 1),
        "book-number-sections": bool(options.get("number-sections", False)),
        "book-number-depth": options.get("number-depth", 6),
        "link-citations": True,
        "lang": meta.get("lang", site.lang),
    }
    text = "---\n" + json.dumps({**head, **settings}) + "\n---\n" + page.text
    depth = str(options.get("toc-depth", 3))
    key = digest(text, depth, files_digest([*bibliography, *csl]), engine_digest())
    stored = cache / "pages" / f"{key}.json"
    if stored.exists():
        return Parts(**json.loads(stored.read_text(encoding="utf-8")))
    extra = [
        f"--toc-depth={depth}",
        *(f"--bibliography={p}" for p in bibliography),
        *(f"--csl={p}" for p in csl),
    ]
    parts = _run(text, extra, page, file, cache)
    write_atomic(stored, json.dumps(asdict(parts), ensure_ascii=False))
    return parts


def _run(text: str, extra: list[str], page: Markdown, file: Path, cache: Path) -> Parts:
    template = cache / "parts.html"
    write_atomic(template, TEMPLATE)
    command = [
        pypandoc.get_pandoc_path(),
        "--from=markdown",
        "--to=html5",
        "--section-divs",
        "--wrap=none",
        "--mathjax",
        "--toc",
        f"--template={template}",
        f"--lua-filter={HERE / 'filter.lua'}",
        "--citeproc",
        *extra,
    ]
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        reason = f"pandoc gave no answer in {PATIENCE} s; look for a long run of unmatched brackets"
        raise BookError(file, None, reason) from None
    errors = sorted(_errors(done.stderr, page, file), key=lambda error: (error.file, error.line or 0))
    if done.returncode != 0 and not errors:
        errors = [BookError(file, None, f"pandoc: {done.stderr.strip()}")]
    if errors:
        raise BookErrors(errors)
    return Parts(*(part.strip() for part in done.stdout.split(f"\n{BREAK}\n", 4)))


def _errors(stderr: str, page: Markdown, file: Path) -> list[BookError]:
    """Turn the filter's reports and citeproc's warnings into errors with their places in the sources."""
    errors = []
    for row in stderr.splitlines():
        if row.startswith("book-error\t"):
            _, needle, nth, reason = row.split("\t", 3)
            place = page.locate(needle, int(nth))
        elif match := MISSING_CITATION.search(row):
            place = page.locate("@" + match.group(1))
            reason = f"citation @{match.group(1)} is not in the bibliography"
        elif row.startswith("[WARNING]") and "Duplicate identifier" not in row:  # the filter says more
            place, reason = _warned_line(row, page), f"pandoc: {row.removeprefix('[WARNING] ')}"
            if "unclosed" in row:
                reason = "the ::: opened here is never closed"
        else:
            continue
        where, line = place or (file, None)
        errors.append(BookError(where, line, reason))
    return errors


def _warned_line(row: str, page: Markdown) -> tuple[Path, int] | None:
    """Find the source of "… line N …" in a warning of pandoc's."""
    match = re.search(r"line (\d+)", row)
    index = int(match.group(1)) - HEAD - 1 if match else -1
    return (page.lines[index].file, page.lines[index].number) if 0 <= index < len(page.lines) else None
