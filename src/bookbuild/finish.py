"""What is left to do on pandoc's HTML: formulas, sizes of images, and some of pandoc's habits.

Works on HTML that pandoc wrote, in which attribute values and text hold no bare angle brackets.
"""

from __future__ import annotations

import html
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

from .celltext import Markdown
from .texmath import Formula

MATH = re.compile(r'<span class="math (inline|display)">\\[(\[](.*?)\\[)\]]</span>', re.DOTALL)
IMAGE = re.compile(r"<img\b[^>]*>")
LINE_ANCHOR = re.compile(r'<span id="(cb\d+-\d+)"><a href="#\1" aria-hidden="true" tabindex="-1"></a>')
UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}


def formulas(text: str, page: Markdown, file: Path) -> list[Formula]:
    """Return the formulas of a piece of the page's HTML, each with its place in the sources."""
    found = []
    for kind, escaped in MATH.findall(text):
        tex = html.unescape(escaped)
        place = page.locate(f"${tex}$") or page.locate(tex.strip().split("\n")[0]) or (file, 1)
        found.append(Formula(tex, kind == "display", *place))
    return found


def fill_math(text: str, mathml: Iterator[str]) -> str:
    """Put the next of `mathml` in the place of each formula."""
    return MATH.sub(lambda _: next(mathml), text)


def tidy(text: str) -> str:
    """Drop pandoc's links on every line of code, and give the footnotes a heading."""
    text = LINE_ANCHOR.sub("<span>", text)
    return text.replace(
        '<section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes">\n<hr />',
        '<section id="footnotes" class="footnotes" role="doc-endnotes">\n<h2>Footnotes</h2>',
    )


def size_images(text: str, read: Callable[[str], bytes | None]) -> str:
    """Give each local image its width and height, and load all but the first when they come near.

    `read` returns the content of an image by the path in its `src`, or None.
    """
    count = 0

    def sized(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        tag = match.group(0)
        source = re.search(r'\bsrc="([^"]*)"', tag)
        data = read(unquote(html.unescape(source.group(1)))) if source else None
        extra = _missing_size(tag, image_size(data)) if data else ""
        lazy = ' loading="lazy"' if count > 1 and "loading=" not in tag else ""
        return re.sub(r"\s*/?>$", f'{extra}{lazy} decoding="async" />', tag)

    return IMAGE.sub(sized, text)


def _missing_size(tag: str, size: tuple[int, int] | None) -> str:
    """Return the attributes that complete a tag's size; a width that the source sets keeps its ratio."""
    if not size or ' height="' in tag:
        return ""
    given = re.search(r' width="(\d+)"', tag)
    if given:
        return f' height="{round(int(given.group(1)) * size[1] / size[0])}"'
    return f' width="{size[0]}" height="{size[1]}"'


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height in CSS pixels of a PNG or an SVG, or None."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    root = re.search(rb"<svg\b[^>]*>", data)
    if not root:
        return None
    tag = root.group(0).decode("utf-8", "replace")
    width, height = (_length(tag, name) for name in ("width", "height"))
    box = re.search(r'\bviewBox="([^"]*)"', tag)
    if width is None or height is None:
        sides = [float(part) for part in re.split(r"[\s,]+", box.group(1).strip())] if box else []
        if len(sides) != 4:
            return None
        width, height = sides[2], sides[3]
    return round(width), round(height)


def _length(tag: str, name: str) -> float | None:
    match = re.search(rf'\s{name}="([\d.]+)([a-z]*)"', tag)
    return float(match.group(1)) * UNITS[match.group(2)] if match and match.group(2) in UNITS else None


def plain(text: str) -> str:
    """Return the text of a piece of HTML; a formula stays as its TeX."""
    text = MATH.sub(lambda match: match.group(2), text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())
