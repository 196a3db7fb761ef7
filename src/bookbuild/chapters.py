"""From the sources to rendered chapters: which files are pages, and each page's steps up to its HTML.

Every step is tried on every page, and all errors of a step are raised together.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from .cells import run_cells
from .celltext import KNOWN, check_options, weave
from .config import Site
from .errors import BookError, BookErrors
from .finish import fill_math, formulas, plain, tidy
from .ojs import compile_pages
from .options import IGNORED_PAGE, PAGE, html_options, key_line, section, unknown_keys
from .page import Page
from .pandoc import Parts, render
from .prepass import Source, read_source
from .texmath import render_math

T = TypeVar("T")
SKIPPED_FOLDERS = {"node_modules", "build", "_site"}


def find_pages(site: Site) -> list[Path]:
    """Return the pages' sources, sorted: what `project: render:` names, else every .qmd, as Quarto does."""
    found: set[Path] = set()
    for pattern in site.render or ["**/*.qmd"]:
        matched = site.root.glob(pattern.removeprefix("!"))
        files = {file.relative_to(site.root) for file in matched if file.suffix == ".qmd"}
        found = found - files if pattern.startswith("!") else found | files
    skipped = {*SKIPPED_FOLDERS, site.output_dir}
    return sorted(
        file for file in found if not any(part[0] in "._" or part in skipped for part in file.parts)
    )


def every(steps: list[Callable[[], T]]) -> list[T]:
    """Take the steps, two at a time; raise the errors of all together, in the steps' order."""
    with ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(step) for step in steps]
    found = [task.exception() for task in tasks]
    errors = [error for group in found if isinstance(group, BookErrors) for error in group.errors]
    if errors:
        raise BookErrors(errors)
    return [task.result() for task in tasks]


def _check_meta(site: Site, source: Source) -> list[BookError]:
    text = source.meta_text
    errors = unknown_keys(source.meta, PAGE | IGNORED_PAGE, "page", text, source.file, 2)
    if not source.meta.get("title"):
        errors.append(BookError(source.file, 1, "no title; add title: to the front matter"))
    if not (source.meta.get("description") or site.description):
        errors.append(BookError(source.file, 1, "no description; add description: to the front matter"))
    for key in ("title", "subtitle", "description"):
        if not isinstance(source.meta.get(key, ""), str):
            errors.append(
                BookError(source.file, key_line(text, key) + 1, f"{key} is no text; put it in quotes")
            )
    for key in {**site.execute, **section(source.meta, "execute", text, source.file, 2)}:
        if key not in KNOWN:
            errors.append(BookError(source.file, key_line(text, key) + 1, f"unknown execute option '{key}'"))
    return errors


def _raise_sorted(errors: list[BookError]) -> None:
    if errors:
        raise BookErrors(sorted(errors, key=lambda error: (error.file, error.line or 0)))


def make_page(site: Site, file: Path, cache: Path) -> Page:
    """Take one source through the pre-pass, its cells and pandoc."""
    source = read_source(site.root, file, site.variables)
    html, errors = html_options(source.meta, source.meta_text, file, 2)
    errors += _check_meta(site, source)
    check_options(source, errors)
    _raise_sorted(errors)  # before the cells: without their results, references to them would fail too
    defaults = {**site.execute, **section(source.meta, "execute", source.meta_text, file, 2)}
    for cell in source.cells():
        cell.options = {**defaults, **cell.options}
    outputs = run_cells(site.root / file, source.cells("python"), site.root, cache)
    markdown = weave(source, outputs, site.variables, errors)
    options = {**site.html, **html}
    try:
        parts = render(site, markdown, file, source.meta, options, cache)
    except BookErrors as found:
        errors += found.errors
    _raise_sorted(errors)
    title, description = plain(parts.title), plain(parts.description)
    return Page(file, source.meta, options, markdown, parts, title, description, source.cells("ojs"))


def make_pages(site: Site, cache: Path) -> tuple[list[Page], dict[str, str]]:
    """Render every page's own HTML, formulas included, and compile its `{ojs}` cells: page URL → module."""
    files = find_pages(site)
    if not files:
        raise BookError("_quarto.yml", None, "no pages: no .qmd file is matched")
    pages = every([partial(make_page, site, file, cache) for file in files])
    modules: dict[str, str] = {}
    every([lambda: modules.update(_ojs_modules(pages, cache)), lambda: _set_formulas(pages, cache)])
    return pages, modules


def _set_formulas(pages: list[Page], cache: Path) -> None:
    """Replace the formulas of all pages, with one run of the converter."""
    found = [
        formula
        for page in pages
        for part in vars(page.parts).values()
        for formula in formulas(part, page.markdown, page.file)
    ]
    mathml = iter(render_math(found, cache))
    for page in pages:
        page.parts = Parts(*(tidy(fill_math(part, mathml)) for part in vars(page.parts).values()))


def _ojs_modules(pages: list[Page], cache: Path) -> dict[str, str]:
    """Compile the cells of all pages, with one run of the compiler."""
    with_cells = [page for page in pages if page.ojs]
    modules = compile_pages([(page.file, page.ojs) for page in with_cells], cache)
    return {page.url: module for page, module in zip(with_cells, modules, strict=True)}
