"""The query demo as a reader handles it: find its parts, drag with mouse or finger, read its value."""

from __future__ import annotations

import math
from typing import Any

from playwright.sync_api import Locator, Page, expect

from reading import CHAPTER

Point = tuple[float, float]
QUIET = 450  # ms; the address follows 300 ms after the last change


class Demo:
    """The chapter's query demo on an open page."""

    def __init__(self, page: Page, index: int = 0) -> None:
        self.page = page
        page.locator("#sec-demo").scroll_into_view_if_needed()
        self.root = page.locator(".query-demo").nth(index)
        expect(self.root).to_be_visible()
        self.root.scroll_into_view_if_needed()
        self.handle = self.root.get_by_role("slider", name="Query, the tip of its arrow")
        self.words = self.root.locator("[aria-live=polite]")
        self.verdict = self.root.locator(".qd-verdict")

    def value(self) -> dict[str, Any]:
        """Return the element's value, as other cells of the chapter read it."""
        self.settle()
        return self.root.evaluate("(element) => element.value")

    def settle(self) -> None:
        """Wait until the drawing has followed."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def weights(self) -> list[float]:
        """Return the weights as the bars show them."""
        bars = self.root.locator(".qd-fill")
        return bars.evaluate_all("(bars) => bars.map((bar) => new DOMMatrix(bar.style.transform).a)")

    def choose(self, name: str) -> None:
        """Take one of the pills."""
        self.root.locator("label", has=self.page.get_by_role("radio", name=name, exact=True)).click()

    def padding(self, state: int) -> Locator:
        """Return the padding box of a state, from 1."""
        return self.root.get_by_role("checkbox").nth(state - 1)

    def place(self, x: float, y: float) -> Point:
        """Return where a point of the plane is on the screen."""
        box = self.root.locator(".qd-plane").bounding_box()
        assert box
        unit = box["width"] / 6.7
        return box["x"] + box["width"] / 2 + unit * x, box["y"] + box["height"] / 2 - unit * y

    def tip(self) -> Point:
        """Return where the arrow's tip is on the screen."""
        return self.place(*self.value()["q"])

    def drag(self, angle: float, length: float) -> None:
        """Drag the tip with the mouse to a direction in degrees and a length."""
        self.root.locator(".qd-plane").scroll_into_view_if_needed()
        end = self.place(*polar(angle, length))
        self.page.mouse.move(*self.tip())
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=8)
        self.page.mouse.up()

    def swipe(self, start: Point, end: Point, steps: int = 8) -> None:
        """Move a finger over the screen."""
        devtools = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *points: Point) -> None:
            at = [{"x": x, "y": y} for x, y in points]
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

        touch("touchStart", start)
        for i in range(1, steps + 1):
            part = i / steps
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            touch("touchMove", (x, y))
            self.settle()
        touch("touchEnd")

    def wait_for_link(self, *parts: str) -> str:
        """Return the address once its fragment holds all `parts`."""
        self.page.wait_for_function(
            "(parts) => parts.every((part) => location.hash.includes(part))", arg=list(parts)
        )
        return self.page.url

    def link_after_quiet(self) -> str:
        """Return the address when the demo would have changed it by now, were it to do so.

        For showing that it stays: on a slow machine that may miss a fault, and never reports a false one.
        """
        self.page.evaluate(f"new Promise((done) => setTimeout(done, {QUIET}))")
        return self.page.url


def open_demo(open_page, fragment: str = "", **options: Any) -> Demo:
    """Open the chapter with a fragment and come to its demo."""
    return Demo(open_page(CHAPTER + fragment, **options))


def polar(angle: float, length: float) -> Point:
    """Return the point in that direction (degrees) and at that distance."""
    return length * math.cos(math.radians(angle)), length * math.sin(math.radians(angle))
