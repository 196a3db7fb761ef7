"""The site as the browser tests read it: its pages, the looks, and a reader who notes every complaint."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Request

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(os.environ.get("BOOK_SITE", ROOT / "_site"))
SUB_PATH = "/some/folder/"
LOOKS = [(width, scheme) for width in (1280, 360) for scheme in ("light", "dark")]
PAGES = [
    path.relative_to(ROOT).with_suffix(".html").as_posix()
    for path in [ROOT / "index.qmd", *sorted((ROOT / "chapters").glob("*.qmd"))]
    if not path.name.startswith("_")
]
CHAPTER = "chapters/seq2seq-attention.html"


class Reader:
    """Opens pages of the site and collects what goes wrong on them."""

    def __init__(self, browser: Browser, site_url: str) -> None:
        self.browser, self.site_url = browser, site_url
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def context(self, width: int = 1280, scheme: str = "light", **options: Any) -> BrowserContext:
        """Return a fresh browser profile; `options` go to Playwright."""
        viewport = {"width": width, "height": 800 if width > 600 else 740}
        context = self.browser.new_context(**{"viewport": viewport, "color_scheme": scheme, **options})
        context.set_default_timeout(60_000)
        context.on("request", self._only_local)
        context.on("page", self._listen)
        self.contexts.append(context)
        return context

    def open(
        self, path: str = "index.html", width: int = 1280, scheme: str = "light", **options: Any
    ) -> Page:
        """Open a page of the site in a fresh profile."""
        page = self.context(width, scheme, **options).new_page()
        page.goto(self.site_url + path)
        return page

    def close(self) -> None:
        """Close the profiles."""
        for context in self.contexts:
            context.close()

    def _only_local(self, request: Request) -> None:
        """Note a request that leaves the site; conftest.py's Chromium finds no other host anyway."""
        if not request.url.startswith((self.site_url, "data:", "blob:")):
            self.complaints.append(f"asked for {request.url}")

    def _listen(self, page: Page) -> None:
        def on_console(message: Any) -> None:
            if message.type in {"error", "warning"}:
                self.complaints.append(f"console {message.type} on {page.url}: {message.text}")

        page.on("console", on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"error on {page.url}: {error}"))
        page.on("requestfailed", lambda request: self._failed(request.url, request.failure))

    def _failed(self, url: str, failure: str | None) -> None:
        if failure != "net::ERR_ABORTED":  # a page that was left stops its own requests
            self.complaints.append(f"{url} failed: {failure}")


def read_to_the_end(page: Page) -> None:
    """Open every fold and pass by everything, so that what loads when it comes near is there."""
    page.evaluate(
        """async () => {
          for (const fold of document.querySelectorAll("main details")) fold.open = true;
          for (const part of document.querySelectorAll("main img, main .ojs-cell:not([hidden])")) {
            part.scrollIntoView({ block: "center" });
            await new Promise(requestAnimationFrame);
          }
        }"""
    )
    page.wait_for_load_state("networkidle")
    page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    page.evaluate("document.fonts.ready.then(() => null)")
