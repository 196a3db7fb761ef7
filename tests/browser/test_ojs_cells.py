"""OJS cells in a real page: when they load, how they read one another, and what a reader sees of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bookbuild import assets
from bookbuild.assets import build_assets
from bookbuild.ojs import compile_pages, shown
from bookbuild.prepass import Cell

LIBRARY = """
export function queryDemo({ start }) {
  const view = document.createElement("form");
  view.className = "demo";
  view.value = start;
  return view;
}
export const Inputs = {
  range: (value) => Object.assign(document.createElement("input"), { type: "range", min: 0, max: 10, value }),
};
"""
BLOCKS = [
    (
        'lib = import(new URL("../demos/dist/book.js", document.baseURI))\nInputs = lib.Inputs',
        {"output": False},
    ),
    ("viewof reading = lib.queryDemo({ start: 3 })", {}),
    ("reading * 2;\n`<b>${reading}</b>`", {}),
    ("viewof level = Inputs.range(4)\ndouble = level * 2", {}),
    ("broken = { throw new Error('no weights yet'); }", {}),
    ("broken + 1", {}),
    ("slow = Promises.delay(50, [1, 2])\nslow.length", {}),
    ("secret = 'never shown'", {"output": False}),
    (
        "follow = { const box = document.createElement('p'); window.ended ??= 0;"
        " invalidation.then(() => (window.ended += 1)); box.textContent = `at ${reading}`; return box; }",
        {},
    ),
    ("width > 100\nundefined", {}),
]
NEAR = "document.querySelector('#ojs-cell-2').scrollIntoView()"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, *_: object) -> None:
        """Keep the test output clean."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page of BLOCKS, four screens below its start, that may run no script but the site's own files."""
    root = tmp_path_factory.mktemp("ojs-site")
    blocks = [Cell("ojs", code, options, line=2, fence_line=1) for code, options in BLOCKS]
    [module] = compile_pages([(Path("chapters/page.qmd"), blocks)], root / "build")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "build_fonts", lambda out, text, cache: "")
        script = build_assets(root, root, {"chapters/page.html": module}, "").ojs["chapters/page.html"]
    cells = "".join(
        f'<div class="cell ojs-cell" id="ojs-cell-{number}"><div class="ojs-output"></div></div>'
        for number, block in enumerate(blocks, start=1)
        if shown(block.options)
    )
    policy = "<meta http-equiv='Content-Security-Policy' content=\"script-src 'self'\">"
    head = (
        f"<!DOCTYPE html><html lang='en'><head><title>x</title>{policy}<link rel='icon' href='data:,'></head>"
    )
    body = f"<body><main><p style='height: 400vh'>Far above</p>{cells}</main>"
    (root / "chapters").mkdir()
    (root / "chapters" / "page.html").write_text(
        f'{head}{body}<script type="module" src="../{script}"></script>'
    )
    (root / "demos" / "dist").mkdir(parents=True)
    (root / "demos" / "dist" / "book.js").write_text(LIBRARY)
    handler = partial(QuietHandler, directory=str(root))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/chapters/page.html"
    server.shutdown()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 800, "height": 600})
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def loaded(page: Page) -> list[str]:
    return page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")


def test_nothing_is_loaded_until_a_cell_is_within_a_screen(page: Page) -> None:
    page.wait_for_function("document.readyState === 'complete'")
    page.evaluate("scrollTo(0, innerHeight * 1.5)")
    page.wait_for_timeout(300)
    assert not [name for name in loaded(page) if "/chunks/" in name or "/demos/" in name]
    page.evaluate("scrollTo(0, innerHeight * 2.2)")
    expect(page.locator("#ojs-cell-2 form.demo")).to_have_count(1)
    assert [name for name in loaded(page) if name.endswith("/demos/dist/book.js")]


def test_a_view_gives_its_element_and_its_value(page: Page) -> None:
    page.evaluate(NEAR)
    values = page.locator("#ojs-cell-3 .ojs-value")
    expect(values).to_have_text(["6", '"<b>3</b>"'])
    expect(page.locator("#ojs-cell-3 b")).to_have_count(0)
    change = "form => { form.value = 5; form.dispatchEvent(new Event('input', { bubbles: true })); }"
    page.locator("form.demo").evaluate(change)
    expect(values).to_have_text(["10", '"<b>5</b>"'])
    expect(page.locator("#ojs-cell-9")).to_have_text("at 5")
    assert page.evaluate("window.ended") == 1


def test_an_input_and_the_cells_that_read_it(page: Page) -> None:
    page.evaluate(NEAR)
    expect(page.locator("#ojs-cell-4 .ojs-value").nth(1)).to_have_text("double = 8")
    page.locator("#ojs-cell-4 input").fill("7")
    expect(page.locator("#ojs-cell-4 .ojs-value").nth(1)).to_have_text("double = 14")


def test_a_promise_is_resolved_before_others_read_it(page: Page) -> None:
    page.evaluate(NEAR)
    expect(page.locator("#ojs-cell-7 .ojs-value")).to_have_text(["slow = [1,2]", "2"])


def test_a_failing_cell_says_so_and_the_others_go_on(page: Page) -> None:
    page.evaluate(NEAR)
    box = page.locator("#ojs-cell-5 .ojs-error")
    expect(box).to_have_text("broken could not be computed: no weights yet. Reload the page to try again.")
    expect(box).to_have_attribute("role", "status")
    expect(page.locator("#ojs-cell-6 .ojs-error")).to_contain_text("no weights yet")
    expect(page.locator("#ojs-cell-3 .ojs-value").first).to_have_text("6")


def test_hidden_cells_show_nothing_and_a_nameless_undefined_neither(page: Page) -> None:
    page.evaluate(NEAR)
    expect(page.locator("#ojs-cell-10 .ojs-value")).to_have_text(["true", ""])
    assert "never shown" not in page.content()
    assert page.locator("#ojs-cell-1, #ojs-cell-8").count() == 0


def test_a_page_whose_modules_are_missing_tells_the_reader(browser: Browser, address: str) -> None:
    context = browser.new_context()
    context.route("**/chunks/**", lambda route: route.abort())
    page = context.new_page()
    page.goto(address)
    page.evaluate(NEAR)
    expect(page.locator("#ojs-cell-2 .ojs-output")).to_contain_text("could not be loaded")
    context.close()
