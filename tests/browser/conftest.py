"""Fixtures of the browser tests: the built site on a local server, one Chromium, pages that tolerate nothing.

The server shows the site under a sub-path, as the public host does, and answers 404 outside it. A page
fails its test when it asks for anything beyond the site, logs an error, or throws.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from bookbench.chromium import ARGUMENTS, find_chromium
from reading import LOOKS, ROOT, SITE, SUB_PATH, Reader

NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

expect.set_options(timeout=30_000)  # a condition is waited for as long as a busy machine may need


class SubPathHandler(SimpleHTTPRequestHandler):
    """Serves the site below SUB_PATH only, and says nothing about it."""

    def translate_path(self, path: str) -> str:
        """Map the sub-path to the site, and everything else to a name that does not exist."""
        if not path.startswith(SUB_PATH):
            return str(SITE / "outside-of-the-sub-path")
        return super().translate_path(path[len(SUB_PATH) - 1 :])

    def log_message(self, *_: object) -> None:
        """Keep the test output clean."""


@pytest.fixture(scope="session")
def site() -> Path:
    """The built site; it is built once if there is none."""
    if not (SITE / "index.html").exists():
        command = [sys.executable, str(ROOT / "scripts" / "build_site.py"), "--engine", "embedded"]
        subprocess.run(command, check=True)
    return SITE


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """The address of the site's root on a local server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SubPathHandler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}{SUB_PATH}"
    server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run, the one that set-up found or installed."""
    executable = find_chromium()
    assert executable, "no Chromium found: run `make test`, or set BOOK_CHROMIUM to the path of one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[*ARGUMENTS, NO_OTHER_HOST])
        yield browser
        browser.close()


@pytest.fixture
def reader(browser: Browser, site_url: str) -> Iterator[Reader]:
    """Opens pages; any complaint of a page fails the test that opened it."""
    reader = Reader(browser, site_url)
    yield reader
    reader.close()
    assert reader.complaints == []


@pytest.fixture
def open_page(reader: Reader) -> Callable[..., Page]:
    """`open_page(path, width=1280, scheme="light", **options)`: a page of the site in a fresh profile."""
    return reader.open


@pytest.fixture(params=LOOKS, ids=[f"{width}-{scheme}" for width, scheme in LOOKS])
def look(request: pytest.FixtureRequest) -> tuple[int, str]:
    """Each width and colour scheme in turn."""
    return request.param


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """`axe(page)` returns the page's accessibility violations, one line each."""
    source = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def run(page: Page) -> list[str]:
        page.evaluate(source)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
        return [f"{v['id']}: {node['target']} {node['failureSummary']}" for v in found for node in v["nodes"]]

    return run
