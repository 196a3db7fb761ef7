"""Reads `_quarto.yml` and `_variables.yml`: what the site is, its pages' order, its navigation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import BookError, BookErrors
from .options import (
    IGNORED_TOP,
    PROJECT,
    TOP,
    WEBSITE,
    as_list,
    html_options,
    key_line,
    parse_yaml,
    section,
    unknown_keys,
)

LABELS = ("text", "section", "aria-label", "icon")


@dataclass
class NavItem:
    """One entry of the navbar or the sidebar: a page, an outside link, or a named group of entries."""

    text: str | None
    href: str | None = None
    children: list[NavItem] = field(default_factory=list)


@dataclass
class Site:
    """What `_quarto.yml` says, with Quarto's defaults filled in."""

    root: Path
    title: str
    description: str
    output_dir: str
    render: list[str]
    resources: list[str]
    html: dict[str, Any]
    execute: dict[str, Any]
    bibliography: list[str]
    csl: str | None
    lang: str
    navbar: list[NavItem]
    sidebar: list[NavItem]
    page_navigation: bool
    footer: str
    favicon: str | None
    variables: dict[str, Any]


def nav_items(entries: Any, file: Path, text: str, errors: list[BookError]) -> list[NavItem]:
    """Read the entries of a navbar or sidebar."""
    items = []
    for entry in as_list(entries):
        if isinstance(entry, str):
            items.append(NavItem(None, entry))
        elif isinstance(entry, dict) and set(entry) <= {*LABELS, "href", "contents"}:
            children = nav_items(entry.get("contents"), file, text, errors)
            label = next((entry[key] for key in LABELS if entry.get(key)), None)
            items.append(NavItem(label, entry.get("href"), children))
        else:
            key = next(iter(entry)) if isinstance(entry, dict) else str(entry)
            errors.append(BookError(file, key_line(text, key), f"navigation entry not understood: {entry}"))
    return items


def _text(file: Path) -> str:
    """Return a file's text, empty without a file; BookError when it is not UTF-8."""
    try:
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except UnicodeDecodeError:
        raise BookError(file.name, None, "not UTF-8 text; save it as UTF-8") from None


def _footer(value: Any) -> str:
    parts = value if isinstance(value, dict) else {"center": value}
    return " ".join(str(parts[side]) for side in ("left", "center", "right") if parts.get(side))


def _check_files(site: Site, file: Path, text: str) -> list[BookError]:
    """Report pages and files that the configuration names and that are not there."""

    def hrefs(items: list[NavItem]) -> Iterator[str]:
        for item in items:
            yield from [item.href] if item.href else []
            yield from hrefs(item.children)

    local = [href for href in hrefs([*site.navbar, *site.sidebar]) if not re.match(r"[a-z]+:", href)]
    others = [site.csl, site.favicon, site.html.get("css")]
    named = [*local, *site.bibliography, *(name for other in others for name in as_list(other))]
    lines = text.splitlines()
    errors = []
    for name in dict.fromkeys(named):
        if not (site.root / name.partition("#")[0].lstrip("/")).is_file():
            line = next((number for number, row in enumerate(lines, 1) if name in row), 1)
            errors.append(BookError(file.name, line, f"no such file: {name}"))
    return errors


def load_site(root: Path) -> Site:
    """Read `_quarto.yml` and `_variables.yml` under `root`; raise BookErrors with all that is wrong."""
    file = root / "_quarto.yml"
    if not file.is_file():
        raise BookError(file, None, "no such file. The folder of a book has one.")
    text = _text(file)
    name = Path(file.name)
    data = parse_yaml(text, name)
    project, website = section(data, "project", text, name), section(data, "website", text, name)
    errors = unknown_keys(data, TOP | IGNORED_TOP, "top-level", text, name)
    errors += unknown_keys(project, PROJECT, "project", text, name)
    errors += unknown_keys(website, WEBSITE, "website", text, name)
    if project.get("type") != "website":
        errors.append(BookError(name, key_line(text, "type"), "project type must be website"))
    html, html_errors = html_options(data, text, name)
    sidebar, navbar = website.get("sidebar") or {}, website.get("navbar") or {}
    if isinstance(sidebar, list):
        errors.append(BookError(name, key_line(text, "sidebar"), "one sidebar only: a mapping with contents"))
        sidebar = {}
    site = Site(
        root=root,
        title=str(website.get("title", "")),
        description=str(website.get("description", "")),
        output_dir=project.get("output-dir", "_site"),
        render=as_list(project.get("render")),
        resources=as_list(project.get("resources")),
        html=html,
        execute=section(data, "execute", text, name),
        bibliography=as_list(data.get("bibliography")),
        csl=data.get("csl"),
        lang=data.get("lang", "en"),
        navbar=nav_items([*as_list(navbar.get("left")), *as_list(navbar.get("right"))], name, text, errors),
        sidebar=nav_items(sidebar.get("contents"), name, text, errors),
        page_navigation=bool(website.get("page-navigation", False)),
        footer=_footer(website.get("page-footer") or ""),
        favicon=website.get("favicon"),
        variables=parse_yaml(_text(root / "_variables.yml"), Path("_variables.yml")),
    )
    errors += [*html_errors, *_check_files(site, file, text)]
    if errors:
        raise BookErrors(errors)
    return site
