"""What a reader's browser does: Lighthouse on the chapter, bytes sent, script time while dragging."""

from __future__ import annotations

import gzip
import json
import math
import os
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from bookbench.chromium import ARGUMENTS, find_chromium
from bookbench.report import Figure, at_least, at_most

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "chapters/seq2seq-attention.html"
TEXT = {".html", ".css", ".js", ".json", ".svg"}
MOVES = 240


class Compressed(SimpleHTTPRequestHandler):
    """Sends text compressed, as a public host does."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send one file."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        self.send_response(200)
        if path.suffix in TEXT:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=31536000")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def chromium() -> str:
    """Return the path of a Chromium, or end with what to do."""
    found = find_chromium()
    if not found:
        raise SystemExit("bench: no Chromium found; set BOOK_CHROMIUM to the path of one.")
    return found


def lighthouse(url: str) -> dict:
    """Run Lighthouse in its mobile setting and return its report."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        subprocess.run(
            [ROOT / "node_modules/.bin/lighthouse", url, "--quiet", "--output=json", f"--output-path={out}",
             f"--chrome-flags={' '.join(('--headless=new', *ARGUMENTS))}"],
            env=os.environ | {"CHROME_PATH": chromium()}, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return json.loads(out.read_text(encoding="utf-8"))


def page_figures(url: str) -> Iterator[Figure]:
    """Score the chapter with Lighthouse, the median of three runs for what varies."""
    runs = [lighthouse(url) for _ in range(3)]
    for name, title, limit in (
        ("performance", "Lighthouse performance", 95),
        ("accessibility", "Lighthouse accessibility", 100),
        ("best-practices", "Lighthouse best practices", 100),
        ("seo", "Lighthouse SEO", 100),
    ):
        score = statistics.median(100 * run["categories"][name]["score"] for run in runs)
        yield at_least(title, score, "", limit)
    audits = runs[0]["audits"]
    shift = max(run["audits"]["cumulative-layout-shift"]["numericValue"] for run in runs)
    yield at_most("layout shift, the largest of three", shift, "", 0.02)
    yield Figure(
        "bytes of the chapter's first view", audits["total-byte-weight"]["numericValue"] / 1000, "kB"
    )


def drag_figures(url: str) -> Iterator[Figure]:
    """Drag the query's handle in circles and collect the script time that the demo measures per frame."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(url)
        page.locator(".ojs-cell:not([hidden])").first.scroll_into_view_if_needed()
        handle = page.locator(".query-demo [role=slider]").first
        handle.wait_for()
        handle.scroll_into_view_if_needed()
        page.evaluate("document.querySelector('.query-demo').measure = true")
        box = handle.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for i in range(MOVES):
            angle = 2 * math.pi * i / 40
            page.mouse.move(x - 60 + 60 * math.cos(angle), y + 60 * math.sin(angle))
            page.evaluate("() => new Promise(requestAnimationFrame)")
        page.mouse.up()
        durations = page.evaluate("performance.getEntriesByName('query-demo frame').map((e) => e.duration)")
        browser.close()
    yield Figure("frames measured while dragging", len(durations), "")
    yield Figure("script in a frame while dragging, median", statistics.median(durations), "ms")
    yield at_most("script in a frame while dragging, 95th percentile", _p95(durations), "ms", 4)


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


def size_figures() -> Iterator[Figure]:
    """Compressed sizes of what a reader may fetch."""
    fonts = sum(p.stat().st_size for p in (ROOT / "_site" / "site" / "fonts").rglob("*.woff2"))
    yield Figure("all fonts of the site", fonts / 1000, "kB")
    for path in sorted((ROOT / "data" / "weights").glob("*.bin")):
        yield at_most(f"weights: {path.stem}", path.stat().st_size / 1000, "kB", 600)


def figures() -> Iterator[Figure]:
    """Serve the built site and measure the chapter in it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Compressed, directory=str(ROOT / "_site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/{CHAPTER}"
    try:
        yield from page_figures(url)
        yield from drag_figures(url)
        yield from size_figures()
    finally:
        server.shutdown()
