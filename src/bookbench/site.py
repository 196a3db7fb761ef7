"""How long the embedded engine takes: from cold, with nothing changed, with one chapter changed, by pages."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bookbench.report import Figure, at_most
from bookbuild.build import build

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("chapters", "data", "demos", "figures", "scripts", "src")
PAGE = """---
title: "Page {n}"
description: "A generated page."
---

## A section {{#sec-{n}}}

Some words, an equation and a reference to @eq-{n}, in @sec-{n}.

$$ \\alpha_{{t,i}} = \\frac{{\\exp(e_{n})}}{{\\sum_j \\exp(e_j)}} $$ {{#eq-{n}}}

{paragraphs}
"""


def copy_project(target: Path) -> None:
    """Copy the book without its caches, so that a bench never touches the real site."""
    for name in COPIED:
        ignore = shutil.ignore_patterns("__pycache__", "dist")
        shutil.copytree(ROOT / name, target / name, ignore=ignore)
    for path in [*ROOT.glob("*.qmd"), *ROOT.glob("*.yml"), *ROOT.glob("*.bib"), *ROOT.glob("package*.json")]:
        shutil.copyfile(path, target / path.name)
    (target / "node_modules").symlink_to(ROOT / "node_modules")


def seconds(root: Path) -> float:
    """Build once and return how long it took."""
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        build(root, root / "_site")
    return time.perf_counter() - start


def generated(count: int, folder: Path) -> float:
    """Build a project of so many generated pages from cold; return the seconds."""
    root = folder / f"pages-{count}"
    root.mkdir()
    names = ["index.qmd", *(f"p{n}.qmd" for n in range(1, count))]
    for n, name in enumerate(names):
        text = "\n\n".join([f"Paragraph {i} of page {n} with *some* words in it." for i in range(40)])
        (root / name).write_text(PAGE.format(n=n, paragraphs=text), encoding="utf-8")
    contents = "".join(f"      - {name}\n" for name in names)
    (root / "_quarto.yml").write_text(
        "project:\n  type: website\n  output-dir: _site\nlang: en\nwebsite:\n  title: Generated\n"
        f"  sidebar:\n    contents:\n{contents}format:\n  html:\n    number-sections: true\n",
        encoding="utf-8",
    )
    return seconds(root)


def figures() -> Iterator[Figure]:
    """Measure the book's own build, then 1, 10 and 100 generated pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = folder / "book"
        book.mkdir()
        copy_project(book)
        yield at_most("whole site from cold", seconds(book), "s", 20)
        yield at_most("nothing changed", seconds(book), "s", 3)
        chapter = book / "chapters" / "seq2seq-attention.qmd"
        chapter.write_text(chapter.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
        yield at_most("one chapter changed", seconds(book), "s", 6)
        one, ten, hundred = (generated(n, folder) for n in (1, 10, 100))
        yield Figure("1 generated page", one, "s")
        yield Figure("10 generated pages", ten, "s")
        yield Figure("100 generated pages", hundred, "s")
        yield Figure("a page more, from 1 to 10", (ten - one) / 9, "s")
        yield Figure("a page more, from 10 to 100", (hundred - ten) / 90, "s")
