"""Every page of the built site: complete, clean, accessible, within the screen, on the right fonts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Route

from bookbuild.theme.characters import characters_of
from reading import CHAPTER, PAGES, read_to_the_end

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_the_pages_are_those_of_the_sources(site: Path) -> None:
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert built == set(PAGES)


@pytest.mark.parametrize("path", PAGES)
def test_page_is_clean_and_accessible(path, look, open_page, axe) -> None:
    width, scheme = look
    page = open_page(path, width, scheme)
    read_to_the_end(page)
    assert page.evaluate(OVERFLOW) <= 0
    assert axe(page) == []
    if width == 360:
        page.set_viewport_size({"width": 320, "height": 600})
        assert page.evaluate(OVERFLOW) <= 0


def test_pages_say_what_they_are(site: Path) -> None:
    texts = {path: (site / path).read_text(encoding="utf-8") for path in PAGES}
    for pattern in (r"<title>(.*?)</title>", r'<meta name="description" content="(.{50,}?)">'):
        found = {path: re.search(pattern, text, re.DOTALL) for path, text in texts.items()}
        assert [path for path, match in found.items() if not match] == []
        assert len({match.group(1) for match in found.values() if match}) == len(PAGES), "each page its own"
    for path, text in texts.items():
        assert '<html lang="en"' in text, path
        assert text.count("<h1") == 1, path


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("path", PAGES)
def test_page_reads_without_scripts(path, width, open_page) -> None:
    page = open_page(path, width, java_script_enabled=False)
    assert page.locator("main h1").is_visible()
    assert page.locator("#sidebar a").first.is_visible()
    assert page.locator("[role=tabpanel]:visible").count() == page.locator("[role=tabpanel]").count()
    assert page.locator(".navbar button:visible").count() == 0


@pytest.mark.parametrize("path", PAGES)
def test_no_character_falls_back_to_a_system_font(path, open_page) -> None:
    """What Chromium really used: text and formulas are all in the book's own faces; code is the system's."""
    page = open_page(path)
    read_to_the_end(page)
    page.evaluate(
        """() => {
          for (const code of document.querySelectorAll("code, pre, noscript")) code.remove();
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            if (walker.currentNode.data.trim()) walker.currentNode.parentElement.dataset.speaks = "";
          }
        }"""
    )
    page.wait_for_load_state("networkidle")
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    document = devtools.send("DOM.getDocument")["root"]["nodeId"]
    speaking = devtools.send("DOM.querySelectorAll", {"nodeId": document, "selector": "[data-speaks]"})
    strays = {}
    for node in speaking["nodeIds"]:
        for font in devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]:
            if not font["isCustomFont"]:
                strays[font["familyName"]] = devtools.send("DOM.getOuterHTML", {"nodeId": node})["outerHTML"]
    assert strays == {}


def test_the_fonts_hold_every_character(site: Path) -> None:
    """Each page's text and formulas against the faces that the site serves, whatever a test machine has."""
    held: dict[str, set[str]] = {"source-serif-4": set(), "inter": set(), "symbols": set(), "math": set()}
    for path in (site / "site" / "fonts").glob("*.woff2"):
        if "italic" not in path.name:
            face = next(face for face in held if path.name.startswith(f"{face}-"))
            held[face] |= {chr(code) for code in TTFont(path, lazy=True).getBestCmap()}
    for page in PAGES:
        html = (site / page).read_text(encoding="utf-8")
        text = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.DOTALL)
        plain, formulas = characters_of(text)
        for face in ("source-serif-4", "inter"):
            assert plain - held[face] - held["symbols"] == set(), page
        assert "<math" not in text or formulas - held["math"] == set(), page


@pytest.mark.parametrize("width", [1280, 360])
def test_late_fonts_move_nothing(width, reader) -> None:
    """The fonts arrive after the first paint, as on a slow line; the page stays where it was."""
    context = reader.context(width)
    held: list[Route] = []
    released = False
    context.route("**/*.woff2", lambda route: route.continue_() if released else held.append(route))
    page = context.new_page()
    page.add_init_script(
        """
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shift += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        """
    )
    page.goto(reader.site_url + CHAPTER, wait_until="commit")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    assert held
    released = True
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    assert page.evaluate("[...document.fonts].filter((face) => face.status === 'loaded').length") >= 3
    assert page.evaluate("shift") <= 0.02


def test_figures_follow_the_chosen_theme(open_page) -> None:
    """A picture that is an SVG file sees the theme that the reader chose, not the system's."""
    page = open_page("index.html", scheme="light")
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><style>rect { fill: white }"
        "@media (prefers-color-scheme: dark) { rect { fill: black } }</style>"
        "<rect width='9' height='9'/></svg>"
    )
    page.evaluate(
        """async (svg) => {
          const image = new Image();
          image.id = "probe";
          image.src = "data:image/svg+xml," + encodeURIComponent(svg);
          document.querySelector("main").prepend(image);
          await image.decode();
        }""",
        svg,
    )
    light = page.locator("#probe").screenshot()
    page.locator(".theme-button").click()
    assert page.locator("#probe").screenshot() != light
