"""The page around a chapter: title, navigation, and the links to styles and scripts (template.html)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from .assets import Assets
from .celltext import Markdown
from .config import NavItem, Site
from .pandoc import Parts
from .prepass import Cell
from .theme.fonts import preloads

HERE = Path(__file__).parent


@dataclass
class Page:
    """A page on its way through the build; `file` is its source, from the project's root."""

    file: Path
    meta: dict[str, Any]
    options: dict[str, Any]
    markdown: Markdown
    parts: Parts
    title: str  # plain text, as are the next
    description: str
    ojs: list[Cell]

    @property
    def url(self) -> str:
        """The page's path from the site's root."""
        return self.file.with_suffix(".html").as_posix()


@cache
def template() -> jinja2.Template:
    """Return the compiled page template."""
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    return environment.from_string((HERE / "template.html").read_text(encoding="utf-8"))


def navigation(items: list[NavItem], page: Page, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Return navbar or sidebar entries with links that are relative to `page`."""
    root = "../" * page.url.count("/")
    entries = []
    for item in items:
        href = item.href or (item.text if item.text and item.text.endswith(".qmd") else None)
        source, mark, anchor = (href or "").lstrip("/").partition("#")
        inside = href is not None and "://" not in href
        url = source.removesuffix(".qmd") + ".html" if source.endswith(".qmd") else source
        text = item.text if item.text and item.text != href else titles.get(url, href)
        entries.append(
            {
                "text": text,
                "href": (root + url + mark + anchor) if inside else href,
                "current": inside and url == page.url and not anchor,
                "children": navigation(item.children, page, titles),
            }
        )
    return entries


def _reading_order(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        if entry["href"] and "://" not in entry["href"]:
            yield entry
        yield from _reading_order(entry["children"])


def _neighbours(sidebar: list[dict[str, Any]]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    order = list(_reading_order(sidebar))
    here = next((i for i, entry in enumerate(order) if entry["current"]), None)
    if here is None:
        return None, None
    return (order[here - 1] if here > 0 else None), (order[here + 1] if here + 1 < len(order) else None)


def page_html(site: Site, page: Page, titles: dict[str, str], assets: Assets, search: str) -> str:
    """Return the whole HTML of a page."""
    sidebar = navigation(site.sidebar, page, titles)
    previous, following = _neighbours(sidebar) if site.page_navigation else (None, None)
    parts = page.parts
    init = HERE / "theme" / "theme-init.js"
    has_toc = page.options.get("toc", True) and "<a" in parts.toc
    return template().render(
        site=site,
        lang=page.meta.get("lang", site.lang),
        root="../" * page.url.count("/"),
        window_title=page.title if page.title == site.title else f"{page.title} – {site.title}",
        description=page.description or site.description,
        theme_init=Markup(init.read_text(encoding="utf-8").strip()),
        fonts=preloads(assets.font_css, "<math" in parts.body),
        css=assets.css,
        js=assets.js,
        ojs=assets.ojs.get(page.url),
        favicon=site.favicon,
        navbar=navigation(site.navbar, page, titles),
        sidebar=sidebar,
        title=Markup(parts.title),
        subtitle=Markup(parts.subtitle),
        lead=Markup(parts.description),
        body=Markup(parts.body),
        previous=previous,
        next=following,
        toc=Markup(parts.toc) if has_toc else "",
        toc_title=page.options.get("toc-title", "On this page"),
        search=search,
    )
