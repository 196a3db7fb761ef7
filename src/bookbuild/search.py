"""The search index: one document per section of a page, for MiniSearch in the reader's browser.

The text is what a reader sees of a page below its title. Left out: sealed results (class "sealed"),
mathematics, scripts, navigation inside the content, and the numbers of headings.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SKIPPED_TAGS = {"math", "nav", "noscript", "script", "style", "svg", "template"}
SKIPPED_CLASSES = {"sealed", "header-section-number", "ojs-cell"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS = {"p", "div", "li", "td", "th", "dt", "dd", "br", "tr", "figcaption", "section", "pre"} | HEADINGS


@dataclass
class SearchPage:
    """A rendered page: `url` from the site's root, `title` as the reader knows it, `html` below the title."""

    url: str
    title: str
    html: str


@dataclass
class _Section:
    anchor: str
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


class _SectionReader(HTMLParser):
    """Collects the text of each `<section id=…>`; a subsection's text is its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections = [_Section("")]
        self._open = [self.sections[0]]
        self._tags: list[tuple[str, bool, bool]] = []  # (tag, skips its content, opened a section)
        self._heading = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self._open[-1].text.append(" ")
        if tag in VOID:
            return
        values = dict(attrs)
        classes = set((values.get("class") or "").split())
        skips = tag in SKIPPED_TAGS or bool(classes & SKIPPED_CLASSES)
        opens = tag == "section" and bool(values.get("id")) and not self._skipping()
        if opens:
            self._open.append(_Section(values["id"] or ""))
            self.sections.append(self._open[-1])
        self._tags.append((tag, skips, opens))
        self._heading += tag in HEADINGS

    def handle_endtag(self, tag: str) -> None:
        if tag not in [name for name, _, _ in self._tags]:
            return
        while True:
            name, _, opened = self._tags.pop()
            if opened:
                self._open.pop()
            self._heading -= name in HEADINGS
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._skipping():
            return
        section = self._open[-1]
        (section.title if self._heading else section.text).append(data)

    def _skipping(self) -> bool:
        return any(skips for _, skips, _ in self._tags)


def search_index(pages: list[SearchPage]) -> str:
    """Return the index as JSON: {"documents": [{"id", "url", "page", "section", "text"}]}.

    `id` counts from 0; `url` is from the site's root, with the section's anchor; `page` is the page's
    title; `section` is the section's title, empty for what stands before the first section.
    """
    documents: list[dict[str, object]] = []
    for page in pages:
        reader = _SectionReader()
        reader.feed(page.html)
        reader.close()
        for section in reader.sections:
            title, text = _plain(section.title), _plain(section.text)
            if not section.anchor:
                title = ""  # what stands before the first section goes by the page's title
            if title or text:
                url = f"{page.url}#{section.anchor}" if section.anchor else page.url
                documents.append(
                    {"id": len(documents), "url": url, "page": page.title, "section": title, "text": text}
                )
    return json.dumps({"documents": documents}, ensure_ascii=False, separators=(",", ":"))


def _plain(parts: list[str]) -> str:
    return " ".join("".join(parts).split())
