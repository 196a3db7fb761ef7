"""Checks the finished site: every internal link, anchor and image leads somewhere, every id is unique."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from .celltext import Markdown
from .errors import BookError

OUTSIDE = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


@dataclass
class _Links(HTMLParser):
    """The ids of a page, and what it refers to: (tag, URL)."""

    ids: dict[str, int] = field(default_factory=dict)
    targets: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids[value] = self.ids.get(value, 0) + 1
            elif name in ("href", "src", "poster") and value is not None:
                self.targets.append((tag, value))


def check_links(out: Path, pages: dict[str, tuple[Path, Markdown]]) -> list[BookError]:
    """Return the faults in the site under `out`; `pages` maps "chapters/x.html" to its source."""
    parsed = {}
    for name in pages:
        parsed[name] = _Links()
        parsed[name].feed((out / name).read_text(encoding="utf-8"))
    errors = []
    for name, (file, markdown) in pages.items():
        links = parsed[name]
        for identifier, count in links.ids.items():
            if count > 1:
                place = markdown.locate(f"#{identifier}", 2) or markdown.locate(identifier, 2)
                where, line = place or (file, None)
                errors.append(
                    BookError(where, line, f"the id '{identifier}' stands {count} times on this page")
                )
        for tag, url, reason in _broken(out, name, parsed):
            kind = {"img": "missing image", "a": "broken link"}.get(tag, "missing file")
            where, line = _place(markdown, url, name) or (file, None)
            errors.append(BookError(where, line, f"{kind} {url}: {reason}"))
    return errors


def _broken(out: Path, name: str, parsed: dict[str, _Links]) -> Iterator[tuple[str, str, str]]:
    for tag, url in dict.fromkeys(parsed[name].targets):
        if OUTSIDE.match(url):
            if tag not in ("a", "area") and not url.startswith("data:"):
                yield tag, url, "the book asks no other host; copy the file into it"
            continue
        path, _, anchor = url.partition("#")
        path = unquote(path.partition("?")[0])
        if path.startswith("/"):
            yield tag, url, "an absolute path breaks when the site is published in a folder"
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if (out / target).is_dir():
            target = posixpath.join(target, "index.html")
        if target.startswith("..") or not (out / target).is_file():
            yield tag, url, "no such file in the site"
        elif anchor and "=" not in anchor and target in parsed and unquote(anchor) not in parsed[target].ids:
            yield tag, url, f"no #{anchor} on that page"


def _place(markdown: Markdown, url: str, name: str) -> tuple[Path, int] | None:
    """Find a URL in the source, where it may have been written from the root or with .qmd."""
    path, mark, anchor = url.partition("#")
    rooted = "/" + posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    forms = [url, path.removesuffix(".html") + ".qmd" + mark + anchor, rooted + mark + anchor, path]
    return next((place for form in forms if form and (place := markdown.locate(form))), None)
