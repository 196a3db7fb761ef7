"""Small parts of the engine on their own: shortcodes, places, image sizes, links, the output folder."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from bookbuild.build import build
from bookbuild.celltext import Markdown
from bookbuild.errors import BookError
from bookbuild.finish import image_size, size_images
from bookbuild.links import check_links
from bookbuild.prepass import Line, expand, read_source
from make_golden_book import copy_book

VARIABLES = {"a": {"text": "0.95 to 0.99", "number": 4000, "ratio": 0.5, "yes": True, "lines": "one\ntwo"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{< var a.text >}}", "0.95 to 0.99"),
        ("{{<var a.number>}}, {{<   var   a.ratio   >}}", "4000, 0.5"),
        ("{{< var a.yes >}}", "true"),
        ("{{< var a.lines >}}", "one two"),
        ("$x = {{< var a.number >}}$", "$x = 4000$"),
        ("{{{< var a.text >}}}", "{{< var a.text >}}"),
        ('He said "{{< var a.text >}}"', 'He said "0.95 to 0.99"'),
    ],
)
def test_shortcodes(text: str, expected: str) -> None:
    errors: list[BookError] = []
    assert expand(Line(text, Path("x.qmd"), 1), VARIABLES, errors) == expected
    assert errors == []


def source_items(folder: Path, text: str) -> list[object]:
    """Return what the pre-pass makes of a text."""
    (folder / "x.qmd").write_text(text, encoding="utf-8")
    return list(read_source(folder, Path("x.qmd"), VARIABLES).items)


def test_cell_knows_where_its_code_begins(tmp_path: Path) -> None:
    (cell,) = source_items(tmp_path, "---\ntitle: T\n---\n```{python}\n#| echo: false\n\nx = 1\n```\n")
    assert (cell.code, cell.options, cell.line, cell.fence_line) == ("x = 1", {"echo": False}, 7, 4)


def test_cell_inside_a_longer_fence_is_text(tmp_path: Path) -> None:
    items = source_items(tmp_path, "````markdown\n```{python}\nx\n```\n````\n")
    assert all(isinstance(item, Line) for item in items)


def test_files_from_other_systems(tmp_path: Path) -> None:
    (tmp_path / "x.qmd").write_bytes(b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\nText\r\n")
    source = read_source(tmp_path, Path("x.qmd"), {})
    assert source.meta == {"title": "T"}
    assert source.items == [Line("Text", Path("x.qmd"), 4)]


def test_places_are_whole_words() -> None:
    page = Markdown([Line("@fig-ab", Path("a"), 1), Line("@fig-a and @fig-a", Path("b"), 9)], {})
    assert page.locate("@fig-a") == (Path("b"), 9)
    assert page.locate("@fig-a", 5) == (Path("b"), 9)
    assert page.locate("@fig-c") is None


def png(width: int, height: int) -> bytes:
    """Return the beginning of a PNG file."""
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (png(640, 480), (640, 480)),
        (b'<?xml version="1.0"?><svg width="72pt" height="36pt" viewBox="0 0 72 36">', (96, 48)),
        (b'<svg xmlns="x" viewBox="0 0 80.4 40">', (80, 40)),
        (b'<svg width="100%" height="3em" viewBox="0,0,10,20">', (10, 20)),
        (b"<svg>", None),
        (b"GIF89a", None),
    ],
)
def test_image_size(data: bytes, expected: tuple[int, int] | None) -> None:
    assert image_size(data) == expected


def test_images_get_what_they_lack() -> None:
    text = '<img src="a%20b.png" alt="x &gt; y" /><img src="a%20b.png" width="32" /><img src="none.png" />'
    html = size_images(text, {"a b.png": png(64, 16)}.get)
    assert html == (
        '<img src="a%20b.png" alt="x &gt; y" width="64" height="16" decoding="async" />'
        '<img src="a%20b.png" width="32" height="8" loading="lazy" decoding="async" />'
        '<img src="none.png" loading="lazy" decoding="async" />'
    )


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ('<a href="sub/b.html#there">', None),
        ('<a href="sub/b.html?q=1#there">', None),
        ('<a href="sub/">', None),
        ('<a href="#q=1.2,3">', None),
        ('<a href="https://example.org/x">', None),
        ('<img src="data:image/png;base64,AA">', None),
        ('<a href="sub/b.html#%74here">', None),
        ('<a href="sub/b.html#not">', "broken link sub/b.html#not: no #not on that page"),
        ('<a href="../a.html">', "broken link ../a.html: no such file in the site"),
        (
            '<img src="https://example.org/x.png">',
            "missing image https://example.org/x.png: the book asks no other",
        ),
        ('<script src="//example.org/x.js">', "missing file //example.org/x.js: the book asks no other host"),
    ],
)
def test_links(html: str, reason: str | None, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.html").write_text(html)
    (tmp_path / "sub" / "index.html").write_text("")
    (tmp_path / "sub" / "b.html").write_text('<p id="there">')
    pages = {name: (Path(name), Markdown([], {})) for name in ("a.html", "sub/b.html")}
    errors = check_links(tmp_path, pages)
    if reason is None:
        assert errors == []
    else:
        assert [str(error)[: len(reason) + 8] for error in errors] == [f"a.html: {reason}"]


@pytest.mark.parametrize("out", [".", "..", "other"])
def test_a_folder_with_other_files_is_not_replaced(out: str, tmp_path: Path) -> None:
    book = copy_book(tmp_path)
    (book / "other").mkdir()
    (book / "other" / "mine.txt").write_text("keep")
    with pytest.raises(BookError, match="Choose another"):
        build(book, book / out)
    assert (book / "other" / "mine.txt").read_text() == "keep"
