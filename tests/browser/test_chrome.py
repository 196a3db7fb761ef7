"""What stands around the text: theme button, menu, on-this-page, tabs, search, skip link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reading import CHAPTER

KEY = "seq2seq-book:theme"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def brightness(page: Page) -> int:
    """Return the sum of the page background's channels."""
    return page.evaluate(f"{BACKGROUND}.match(/[0-9]+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0)")


def choice(page: Page) -> str | None:
    """Return the choice that the page remembers."""
    return page.evaluate(f"localStorage.getItem('{KEY}')")


@pytest.mark.parametrize("system", ["light", "dark"])
def test_theme_button_remembers_and_lets_go(system, open_page) -> None:
    other = "dark" if system == "light" else "light"
    page = open_page(CHAPTER, scheme=system)
    button = page.get_by_role("button", name="Dark theme")
    followed = brightness(page)
    assert (followed > 500) == (system == "light")
    expect(button).to_have_attribute("aria-pressed", str(system == "dark").lower())
    button.click()
    expect(button).to_have_attribute("aria-pressed", str(other == "dark").lower())
    assert choice(page) == other
    chosen = brightness(page)
    assert (chosen > 500) == (other == "light")
    page.reload()
    assert brightness(page) == chosen
    button.click()
    assert choice(page) is None
    assert brightness(page) == followed


def test_theme_follows_the_system_while_nothing_is_chosen(open_page) -> None:
    page = open_page(CHAPTER, scheme="light")
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_role("button", name="Dark theme")).to_have_attribute("aria-pressed", "true")
    assert brightness(page) < 300


def test_theme_is_set_before_the_first_paint(reader) -> None:
    page = reader.open(CHAPTER, scheme="light")
    page.evaluate(f"localStorage.setItem('{KEY}', 'dark')")
    page.route("**/*.js", lambda route: route.abort())
    reader_complaints = len(reader.complaints)
    page.reload()
    assert brightness(page) < 300
    del reader.complaints[reader_complaints:]  # the scripts that this test held back


@pytest.mark.parametrize("value", ["banana", "", "{}", "dark "])
def test_theme_survives_a_corrupt_choice(value, open_page) -> None:
    page = open_page(CHAPTER, scheme="light")
    page.evaluate(f"(value) => localStorage.setItem('{KEY}', value)", value)
    page.reload()
    assert brightness(page) > 500
    page.get_by_role("button", name="Dark theme").click()
    assert brightness(page) < 300


def test_theme_works_where_storage_is_forbidden(reader) -> None:
    context = reader.context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('forbidden') } })"
    )
    page = context.new_page()
    page.goto(reader.site_url + CHAPTER)
    page.get_by_role("button", name="Dark theme").click()
    assert brightness(page) < 300


def test_menu_by_keyboard_on_a_phone(open_page) -> None:
    page = open_page(CHAPTER, 360)
    button = page.get_by_role("button", name="Contents")
    expect(page.locator("#rail")).to_be_hidden()
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#rail a").first).to_be_focused()
    assert page.evaluate("document.querySelector('main').inert")
    page.keyboard.press("Escape")
    expect(page.locator("#rail")).to_be_hidden()
    expect(button).to_be_focused()
    assert not page.evaluate("document.querySelector('main').inert")


def test_menu_leads_to_a_section_and_closes(open_page) -> None:
    page = open_page(CHAPTER, 360)
    page.get_by_role("button", name="Contents").click()
    link = page.locator("#toc a").nth(2)
    target = link.get_attribute("href")
    link.click()
    expect(page.locator("#rail")).to_be_hidden()
    expect(page.locator(target)).to_be_in_viewport()


def test_menu_closes_when_the_window_widens(open_page) -> None:
    page = open_page(CHAPTER, 360)
    page.get_by_role("button", name="Contents").click()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("!document.querySelector('main').inert")
    expect(page.locator("#sidebar")).to_be_visible()


def test_on_this_page_follows_the_reader(open_page) -> None:
    page = open_page(CHAPTER)
    targets = [link.get_attribute("href") for link in page.locator("#toc a").all()]
    for target in (targets[1], targets[-1], targets[0]):
        page.evaluate("(id) => document.querySelector(id).scrollIntoView()", target)
        expect(page.locator("#toc [aria-current]")).to_have_count(1)
        expect(page.locator(f'#toc a[href="{target}"]')).to_have_attribute("aria-current", "location")


def test_tabs_by_arrow_keys(open_page) -> None:
    page = open_page(CHAPTER)
    tabs = page.locator("[role=tablist]").first.locator("[role=tab]")
    count = tabs.count()
    assert count >= 2
    tabs.first.focus()
    for key, index in [
        ("ArrowRight", 1),
        ("ArrowLeft", 0),
        ("ArrowLeft", count - 1),
        ("Home", 0),
        ("End", count - 1),
    ]:
        page.keyboard.press(key)
        expect(tabs.nth(index)).to_be_focused()
        expect(tabs.nth(index)).to_have_attribute("aria-selected", "true")
        for other in range(count):
            panel = page.locator(f"#{tabs.nth(other).get_attribute('aria-controls')}")
            expect(panel).to_be_visible(visible=other == index)
            expect(tabs.nth(other)).to_have_attribute("tabindex", "0" if other == index else "-1")


@pytest.mark.parametrize("keys", ["/", "Control+k"])
def test_search_finds_a_section(keys, open_page) -> None:
    page = open_page("chapters/glossary.html")
    page.keyboard.press(keys)
    field = page.get_by_role("searchbox", name="Search the book")
    expect(field).to_be_focused()
    page.keyboard.type("bottleneck")
    expect(page.get_by_role("status")).to_contain_text("found")
    expect(page.locator(".search-results a").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    first = page.locator(".search-results a").first
    expect(first).to_be_focused()
    address = first.get_attribute("href")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    assert "#" in address
    expect(page.locator("#" + address.partition("#")[2])).to_be_in_viewport()


def test_search_closes_and_gives_the_focus_back(open_page, axe) -> None:
    page = open_page(CHAPTER)
    button = page.get_by_role("button", name="Search")
    button.click()
    page.get_by_role("searchbox").fill("zzzzqqqq")
    expect(page.get_by_role("status")).to_have_text("Nothing found.")
    page.get_by_role("searchbox").fill("attention")
    expect(page.locator(".search-results a").first).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#search")).to_be_hidden()
    expect(button).to_be_focused()


def test_search_keys_leave_typing_alone(open_page) -> None:
    page = open_page(CHAPTER)
    page.evaluate("document.querySelector('main').prepend(document.createElement('input'))")
    page.locator("main > input").focus()
    page.keyboard.type("a/b")
    assert page.locator("main > input").input_value() == "a/b"
    expect(page.locator("#search")).to_be_hidden()


def test_search_says_when_its_index_is_missing(reader) -> None:
    page = reader.open(CHAPTER)
    page.route("**/search-*.json", lambda route: route.fulfill(status=503))
    page.get_by_role("button", name="Search").click()
    page.get_by_role("searchbox").fill("attention")
    expect(page.get_by_role("status")).to_contain_text("did not load")
    page.unroute("**/search-*.json")
    page.get_by_role("searchbox").fill("attentio")
    expect(page.get_by_role("status")).to_contain_text("found")
    assert all("503" in complaint for complaint in reader.complaints)
    reader.complaints.clear()


def test_skip_link_leads_to_the_text(open_page) -> None:
    page = open_page(CHAPTER)
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to the text")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_wide_equation_keeps_its_number_in_view(open_page) -> None:
    page = open_page(CHAPTER, 360)
    page.wait_for_function("document.querySelector('.equation-body[tabindex]')")
    equation = page.locator(".equation:has(.equation-body[tabindex]):has(.equation-number)").first
    body, number = equation.locator(".equation-body"), equation.locator(".equation-number")
    body.focus()
    before = number.bounding_box()
    body.evaluate("(box) => { box.scrollLeft = box.scrollWidth }")
    assert body.evaluate("(box) => box.scrollLeft") > 0
    assert number.bounding_box() == before
    assert before["x"] + before["width"] <= 360


def test_targets_are_large_enough_for_a_finger(open_page) -> None:
    page = open_page(CHAPTER, 360)
    boxes = page.locator(".navbar button:visible, main summary:visible, [role=tab]:visible").evaluate_all(
        "(all) => all.map((one) => [one.textContent, one.offsetWidth, one.offsetHeight])"
    )
    assert len(boxes) > 5
    assert [box for box in boxes if min(box[1:]) < 44] == []


def test_a_link_into_a_folded_box_opens_it(open_page) -> None:
    page = open_page(CHAPTER)
    fold = page.locator("main details").first
    expect(fold).not_to_have_attribute("open", "")
    fold.locator(".callout-body").evaluate("(body) => { body.id = 'inside' }")
    page.evaluate("location.hash = 'inside'")
    expect(fold).to_have_attribute("open", "")
