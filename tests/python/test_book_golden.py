"""The golden book: every construct rendered as stored, twice with the same bytes, and from the cache."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bookbuild import pandoc
from bookbuild.build import build
from bookbuild.errors import BookErrors
from make_golden_book import EXPECTED, content, copy_book

PAGE = "chapters/constructs.html"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the golden book with its site built."""
    root = copy_book(tmp_path_factory.mktemp("golden"))
    build(root)
    return root


def page(book: Path, name: str = PAGE) -> str:
    """Return one page of the built site."""
    return (book / "_site" / name).read_text(encoding="utf-8")


def site_bytes(out: Path) -> dict[str, bytes]:
    """Return every file of a site."""
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def test_every_construct_is_rendered_as_stored(book: Path) -> None:
    stored = EXPECTED.read_text(encoding="utf-8")
    assert content(page(book)) == stored, "if this is meant: python tests/python/make_golden_book.py --write"


def test_head_has_title_description_and_language(book: Path) -> None:
    html = page(book)
    assert '<html lang="en"' in html
    assert "<title>Every construct, and x^2 – Golden book</title>" in html
    assert '<meta name="description" content="A page with n constructs &amp; all of Quarto’s' in html


def test_site_description_and_title_stand_in_on_the_front_page(book: Path) -> None:
    html = page(book, "index.html")
    assert "<title>Golden book</title>" in html
    assert '<meta name="description" content="A small book that uses every construct.">' in html
    assert 'id="toc"' not in html


def test_navigation_marks_the_page_and_orders_its_neighbours(book: Path) -> None:
    html = page(book)
    sidebar = re.search(r'<nav id="sidebar".*?</nav>', html, re.DOTALL)
    assert sidebar
    assert sidebar.group(0).count('aria-current="page"') == 1
    assert '<a href="../chapters/second.html">The second one</a>' in sidebar.group(0)
    assert re.search(r'class="nav-previous"[^>]* href="\.\./index\.html"', html)
    assert re.search(r'class="nav-next"[^>]* href="\.\./chapters/second\.html"', html)
    assert 'href="https://example.org/"' in html


def test_numbers_start_again_on_each_page(book: Path) -> None:
    html = page(book, "chapters/second.html")
    assert '<a href="#eq-again" class="quarto-xref">Equation\u00a01</a>' in html
    assert "header-section-number" not in html


def test_resources_images_and_search_are_in_the_site(book: Path) -> None:
    files = site_bytes(book / "_site")
    assert json.loads(files["data/numbers.json"]) == {"values": [1, 2, 3]}
    assert "figures/wide.svg" in files
    assert "figures/_wide.md" not in files
    assert files["chapters/constructs_files/fig-cell-1.svg"].startswith(b"<svg")
    [index] = [name for name in files if name.startswith("site/search-")]
    texts = {item["url"]: item["text"] for item in json.loads(files[index])["documents"]}
    assert texts[PAGE].startswith("One of each A page with constructs & all of Quarto’s"), (
        "the title block is searched too"
    )


def test_no_path_of_the_machine_and_no_absolute_link(book: Path) -> None:
    for name, data in site_bytes(book / "_site").items():
        assert str(book).encode() not in data, name
    assert not re.search(r'(href|src)="/', page(book))


def test_fonts_are_kept_with_the_project(book: Path) -> None:
    kept = {file.name for file in (book / "build" / "cache" / "fonts").glob("*.woff2")}
    assert kept == {file.name for file in (book / "_site" / "site" / "fonts").iterdir()}


def test_two_builds_have_the_same_bytes(book: Path, tmp_path: Path) -> None:
    other = copy_book(tmp_path)
    build(other)
    assert site_bytes(other / "_site") == site_bytes(book / "_site")


def test_an_unchanged_book_runs_neither_pandoc_nor_a_kernel(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a program was started")

    monkeypatch.setattr(pandoc, "_run", refuse)
    monkeypatch.setattr("bookbuild.cells._execute", refuse)
    monkeypatch.setattr("bookbuild.nodetool.subprocess.run", refuse)
    before = site_bytes(book / "_site")
    build(book)
    assert site_bytes(book / "_site") == before


def test_only_the_changed_page_runs_pandoc(
    book: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = book / "chapters" / "second.qmd"
    text = source.read_text(encoding="utf-8")
    source.write_text(text + "\nOne more sentence.\n", encoding="utf-8")
    ran, run = [], pandoc._run

    def note(*args: Any) -> pandoc.Parts:
        ran.append(args[3])
        return run(*args)

    monkeypatch.setattr(pandoc, "_run", note)
    build(book, tmp_path / "site")
    source.write_text(text, encoding="utf-8")
    assert ran == [Path("chapters/second.qmd")]
    assert "One more sentence." in (tmp_path / "site/chapters/second.html").read_text(encoding="utf-8")


def test_a_failed_build_leaves_the_old_site(book: Path) -> None:
    source = book / "chapters" / "second.qmd"
    text, before = source.read_text(encoding="utf-8"), site_bytes(book / "_site")
    source.write_text(text + "\n[gone](nowhere.qmd)\n", encoding="utf-8")
    with pytest.raises(BookErrors) as caught:
        build(book)
    source.write_text(text, encoding="utf-8")
    assert str(caught.value) == "chapters/second.qmd:15: broken link nowhere.html: no such file in the site"
    assert site_bytes(book / "_site") == before
    assert not list((book / "build").glob("site-*"))


def test_all_broken_links_are_reported_at_once(book: Path, tmp_path: Path) -> None:
    source = book / "chapters" / "second.qmd"
    text = source.read_text(encoding="utf-8")
    source.write_text(
        text
        + "\n[a](constructs.qmd#nothing)\n[b](#here)\n![](none.svg){fig-alt='none'}\n"
        + '\n<b id="twice">1</b>\n\n<b id="twice">2</b>\n\n<a href="/rooted.html">r</a>\n',
        encoding="utf-8",
    )
    with pytest.raises(BookErrors) as caught:
        build(book, tmp_path / "site")
    source.write_text(text, encoding="utf-8")
    found = [str(error).removeprefix("chapters/second.qmd:") for error in caught.value.errors]
    assert sorted(found, key=lambda line: int(line.split(":")[0])) == [
        "15: broken link constructs.html#nothing: no #nothing on that page",
        "16: broken link #here: no #here on that page",
        "17: missing image none.svg: no such file in the site",
        "21: the id 'twice' stands 2 times on this page",
        "23: broken link /rooted.html: an absolute path breaks when the site is published in a folder",
    ]
