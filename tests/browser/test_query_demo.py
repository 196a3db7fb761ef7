"""The query demo by mouse, touch and keyboard; its link, matrix and padding; what a screen reader hears."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import expect

from query_demo import Demo, open_demo, polar

START = {"angle": 350, "length": 1.4}


def polar_of(value) -> tuple[float, float]:
    """Direction in degrees and length of the query."""
    x, y = value["q"]
    return math.degrees(math.atan2(y, x)) % 360, math.hypot(x, y)


def softmax(scores: list[float]) -> list[float]:
    """Weights by the formula."""
    exps = [math.exp(score) for score in scores]
    return [value / sum(exps) for value in exps]


def test_the_weights_are_those_of_the_formula(open_page) -> None:
    demo = open_demo(open_page)
    value = demo.value()
    assert set(value) == {"q", "scores", "weights", "context", "mask", "score"}
    assert value["weights"] == pytest.approx(softmax(value["scores"]))
    assert demo.weights() == pytest.approx(value["weights"], abs=1e-4)


@pytest.mark.parametrize("width", [320, 360, 600, 768, 1024, 1280])
def test_the_bars_have_room_to_show_a_weight(width, open_page) -> None:
    demo = open_demo(open_page, width=width)
    track = demo.root.locator(".qd-track").first.bounding_box()
    assert track is not None
    assert track["width"] >= 32


def test_a_second_finger_changes_nothing(open_page) -> None:
    demo = open_demo(open_page)
    demo.drag(90, 2.0)
    before = demo.value()["q"]
    demo.handle.evaluate(
        """(handle) => {
          const at = (id, x) => ({ pointerId: id, clientX: x, clientY: 5, button: 0, bubbles: true });
          handle.setPointerCapture = () => {};
          handle.hasPointerCapture = () => true;
          handle.dispatchEvent(new PointerEvent("pointerdown", at(1, 50)));
          handle.dispatchEvent(new PointerEvent("pointerdown", at(2, 500)));
          handle.dispatchEvent(new PointerEvent("pointermove", at(2, 600)));
          handle.dispatchEvent(new PointerEvent("pointerup", at(2, 600)));
        }"""
    )
    demo.settle()
    assert demo.value()["q"] == pytest.approx(before)


@pytest.mark.parametrize("width", [1280, 360])
def test_mouse_drags_the_tip(width, open_page) -> None:
    demo = open_demo(open_page, width=width)
    for angle, length in ((100, 2.0), (220, 0.8), (45, 2.9)):
        demo.drag(angle, length)
        assert polar_of(demo.value()) == pytest.approx((angle, length), abs=1.5)
        assert demo.weights() == pytest.approx(demo.value()["weights"], abs=1e-4)
    expect(demo.handle).to_be_focused()


def test_a_drag_beyond_the_plane_stops_at_the_longest_query(open_page) -> None:
    demo = open_demo(open_page)
    demo.drag(350, 6)
    assert polar_of(demo.value()) == pytest.approx((350, 3), abs=1)


def test_the_context_stays_in_the_outline_whatever_the_query(open_page) -> None:
    demo = open_demo(open_page)
    for angle in range(0, 360, 40):
        demo.drag(angle, 2.9)
        inside = demo.root.evaluate(
            """(root) => {
              const hull = root.querySelector(".qd-hull");
              const point = root.querySelector(".qd-context").transform.baseVal[0].matrix;
              return hull.isPointInFill(new DOMPoint(point.e, point.f));
            }"""
        )
        assert inside, angle


def test_finger_drags_the_tip_and_scrolls_the_page_elsewhere(open_page) -> None:
    demo = open_demo(open_page, width=360, has_touch=True, is_mobile=True)
    before = demo.page.evaluate("scrollY")
    demo.swipe(demo.tip(), demo.place(*polar(90, 2.5)))
    assert polar_of(demo.value()) == pytest.approx((90, 2.5), abs=3)
    assert demo.page.evaluate("scrollY") == before
    free = demo.place(-2.6, -2.6)
    demo.swipe(free, (free[0], free[1] - 150))
    demo.page.wait_for_timeout(200)
    assert demo.page.evaluate("scrollY") > before
    assert polar_of(demo.value()) == pytest.approx((90, 2.5), abs=3)


@pytest.mark.parametrize("width", [1280, 360, 320])
def test_the_handle_is_large_enough_for_a_finger(width, open_page) -> None:
    box = open_demo(open_page, width=width).root.locator(".qd-target").bounding_box()
    assert min(box["width"], box["height"]) >= 44


def test_keyboard_turns_stretches_and_resets(open_page) -> None:
    demo = open_demo(open_page)
    demo.handle.focus()
    keyboard = demo.page.keyboard
    keyboard.press("ArrowLeft")
    assert polar_of(demo.value())[0] == pytest.approx(352)
    keyboard.press("Shift+ArrowLeft")
    assert polar_of(demo.value())[0] == pytest.approx(7)
    keyboard.press("ArrowUp")
    keyboard.press("Shift+ArrowDown")
    assert polar_of(demo.value())[1] == pytest.approx(1.0)
    assert demo.handle.get_attribute("aria-valuenow") == "7"
    assert "direction 7 degrees, length 1.00; most weight on h₁" in demo.handle.get_attribute(
        "aria-valuetext"
    )
    keyboard.press("Home")
    assert polar_of(demo.value()) == pytest.approx((START["angle"], START["length"]))


def test_the_sliders_follow_the_arrow_and_move_it(open_page) -> None:
    demo = open_demo(open_page)
    direction = demo.root.get_by_role("slider", name="direction")
    length = demo.root.get_by_role("slider", name="length")
    demo.drag(90, 2.0)
    demo.settle()
    assert abs(int(direction.input_value()) - 90) <= 1
    assert abs(float(length.input_value()) - 2.0) <= 0.05
    direction.fill("180")
    length.fill("1")
    assert polar_of(demo.value()) == pytest.approx((180, 1))
    assert direction.get_attribute("aria-valuetext") == "180 degrees"


def test_at_length_zero_all_states_count_alike_and_the_direction_is_kept(open_page) -> None:
    demo = open_demo(open_page)
    length = demo.root.get_by_role("slider", name="length")
    length.fill("0")
    assert demo.value()["weights"] == pytest.approx([0.2] * 5)
    length.fill("1")
    assert polar_of(demo.value())[0] == pytest.approx(START["angle"])


def test_prediction_is_asked_first_and_answered_by_what_is_seen(open_page) -> None:
    demo = open_demo(open_page)
    goal = demo.root.locator(".qd-goal")
    expect(goal).to_be_hidden()
    demo.choose("flatter")
    expect(goal).to_be_visible()
    demo.drag(START["angle"], 2 * START["length"])
    expect(demo.verdict).to_contain_text("You said flatter; they became more peaked.")
    expect(goal).to_be_hidden()
    demo.choose("more peaked")
    demo.root.get_by_role("button", name="double it for me").click()
    expect(demo.verdict).to_contain_text("Right: more peaked.")


def test_another_score_asks_the_prediction_again(open_page) -> None:
    demo = open_demo(open_page)
    demo.choose("more peaked")
    demo.choose("additive")
    expect(demo.verdict).to_contain_text("predict again")
    demo.choose("flatter")
    demo.root.get_by_role("button", name="double it for me").click()
    expect(demo.verdict).to_contain_text("The largest weight went from")


def test_padding_is_never_read_and_all_padding_gives_zeros(open_page) -> None:
    demo = open_demo(open_page)
    demo.padding(1).check()
    value = demo.value()
    assert value["weights"][0] == 0
    assert sum(value["weights"]) == pytest.approx(1)
    assert value["mask"] == [False, True, True, True, True]
    for state in range(2, 6):
        demo.padding(state).check()
    assert demo.value()["weights"] == [0] * 5
    assert demo.value()["context"] == [0, 0]
    expect(demo.root.get_by_text("Every position is padding").first).to_be_visible()
    demo.padding(3).uncheck()
    assert demo.value()["weights"] == [0, 0, 1, 0, 0]


def test_the_matrix_of_the_general_score(open_page) -> None:
    demo = open_demo(open_page)
    dot = demo.value()["scores"]
    demo.choose("general")
    assert demo.value()["scores"] == pytest.approx(dot)
    entry = demo.root.get_by_role("textbox", name="W a, row 1, column 1")
    message = demo.root.locator(".qd-scores [role=alert]")
    entry.fill("2")
    changed = demo.value()["scores"]
    assert changed != pytest.approx(dot)
    for bad in ("", "two", "1e9", "11", "<b>"):
        entry.fill(bad)
        expect(message).to_contain_text("last good matrix")
        assert entry.get_attribute("aria-invalid") == "true"
        assert demo.value()["scores"] == pytest.approx(changed)
    entry.fill("-0,5")
    expect(message).to_have_text("")
    demo.root.get_by_role("button", name="quarter turn").click()
    x, y = demo.value()["q"]
    keys = demo.page.evaluate("[[1.5, 0.3], [0.4, 1.4], [-1.2, 1.0], [-1.3, -0.8], [0.6, -1.3]]")
    assert demo.value()["scores"] == pytest.approx([-y * a + x * b for a, b in keys])
    entry.fill("no")
    demo.root.get_by_role("button", name="Start again").click()
    demo.choose("general")
    assert entry.input_value() == "1"
    expect(message).to_have_text("")


def test_the_additive_score_shows_its_parameters(open_page) -> None:
    demo = open_demo(open_page)
    demo.choose("additive")
    expect(demo.root.locator(".qd-matrix:visible")).to_have_count(4)
    value = demo.value()
    assert value["score"] == "additive"
    assert value["weights"] == pytest.approx(softmax(value["scores"]))


def test_the_link_carries_the_state(open_page) -> None:
    demo = open_demo(open_page)
    assert "#" not in demo.page.url
    demo.drag(120, 1.5)
    demo.padding(5).check()
    demo.choose("general")
    demo.root.get_by_role("button", name="first dimension only").click()
    value = demo.value()
    link = demo.wait_for_link("#query=general_", "_11110_1_0_0_0")
    again = open_demo(open_page, "#" + link.split("#")[1])
    assert again.value() == value


def test_copy_link(open_page) -> None:
    demo = open_demo(open_page, permissions=["clipboard-read", "clipboard-write"])
    demo.drag(200, 2.0)
    demo.root.get_by_role("button", name="Copy link").click()
    expect(demo.root.get_by_text("Link copied")).to_be_visible()
    assert "#query=dot_" in demo.page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize(
    "text", ["", "dot_1_1_1111", "dot_NaN_1_11111", "<script>alert(1)</script>", "%E0%A4%A", "1" * 4000]
)
def test_a_bad_link_is_left_aside_with_its_reason(text, open_page) -> None:
    demo = open_demo(open_page, "#query=" + text)
    said = demo.root.get_by_text("The link's setting was left aside")
    expect(said).to_be_visible()
    assert polar_of(demo.value()) == pytest.approx((START["angle"], START["length"]))
    demo.drag(90, 2.0)
    expect(said).to_be_hidden()


def test_anchors_work_as_ever_and_the_back_button_brings_the_state(open_page) -> None:
    demo = open_demo(open_page)
    demo.drag(120, 2.0)
    shared = demo.wait_for_link("query=dot_120_2")
    value = demo.value()
    demo.page.evaluate("location.hash = '#sec-demo'")
    assert demo.link_after_quiet().endswith("#sec-demo")
    assert demo.value() == value
    demo.drag(300, 1.0)
    demo.page.evaluate("location.hash = '#sec-wiring'")  # before the address could follow the drag
    assert demo.link_after_quiet().endswith("#sec-wiring")
    demo.page.goto(shared)
    demo.page.wait_for_function(
        "(q) => document.querySelector('.query-demo').value.q.join() === q.join()", arg=value["q"]
    )
    assert demo.value() == value


def test_the_live_text_waits_for_the_hand_to_rest(open_page) -> None:
    demo = open_demo(open_page)
    demo.words.evaluate(
        """(words) => {
          globalThis.spoken = 0;
          const every = { childList: true, characterData: true, subtree: true };
          new MutationObserver(() => spoken++).observe(words, every);
        }"""
    )
    demo.page.clock.install(time=0)
    demo.page.clock.pause_at(1000)
    slider = demo.root.get_by_role("slider", name="direction")
    for angle in range(0, 91, 10):
        slider.evaluate(
            """(slider, angle) => {
              slider.value = angle;
              slider.dispatchEvent(new Event("input", { bubbles: true }));
            }""",
            angle,
        )
        demo.page.clock.run_for(100)
    assert demo.page.evaluate("spoken") == 0
    demo.page.clock.run_for(1000)
    assert demo.page.evaluate("spoken") >= 1
    expect(demo.words).to_contain_text("Weights: h₂")


def test_other_cells_follow(open_page) -> None:
    demo = open_demo(open_page)
    line = demo.page.get_by_text("You are reading", exact=False).last
    before = line.inner_text()
    demo.drag(90, 2.8)
    expect(line).not_to_have_text(before)


@pytest.mark.parametrize("score", ["dot product", "general", "additive"])
def test_the_demo_is_accessible_and_fits(score, look, open_page, axe) -> None:
    width, scheme = look
    demo = open_demo(open_page, width=width, scheme=scheme)
    demo.choose("the same")
    demo.choose(score)
    demo.padding(2).check()
    demo.drag(200, 2.5)
    demo.settle()
    assert axe(demo.page) == []
    assert demo.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0


def test_two_demos_on_a_page_do_not_clash(open_page) -> None:
    demo = open_demo(open_page)
    demo.page.evaluate(
        """async () => {
          const lib = await import(new URL("../demos/dist/book.js", document.baseURI));
          document.querySelector(".query-demo").after(lib.queryDemo({ score: "additive", length: 0.5 }));
        }"""
    )
    other = Demo(demo.page, index=1)
    before = demo.value()
    other.drag(90, 2.0)
    other.choose("general")
    assert demo.value() == before
    demo.drag(180, 2.0)
    assert other.value()["score"] == "general"
    demo.wait_for_link("query=dot_180", "query2=general_")
    ids = demo.page.evaluate("[...document.querySelectorAll('.query-demo [id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_frames_can_be_measured(open_page) -> None:
    demo = open_demo(open_page)
    demo.root.evaluate("(root) => { root.measure = true; }")
    demo.drag(90, 2.0)
    frames = demo.page.evaluate(
        "performance.getEntriesByName('query-demo frame').map((entry) => entry.duration)"
    )
    assert len(frames) >= 3


def test_an_interactive_figure_loads_plotly_only_when_asked(open_page) -> None:
    demo = open_demo(open_page)
    demo.page.evaluate(
        """async () => {
          const lib = await import(new URL("../demos/dist/book.js", document.baseURI));
          const src = "../figures/lab04_attention_example.plotly.json";
          document.querySelector(".query-demo").after(lib.plotlyFigure({ src, label: "Attention weights." }));
        }"""
    )
    loaded = "performance.getEntriesByType('resource').some((e) => e.name.includes('plotly-cartesian'))"
    assert not demo.page.evaluate(loaded)
    demo.page.get_by_role("button", name="Show exact values").click()
    expect(demo.page.locator(".plotly-figure .heatmaplayer image").first).to_be_attached()
    expect(demo.page.get_by_role("img", name="3 March 2021 (dot product)")).to_be_visible()
    assert demo.page.evaluate(loaded)
    demo.page.get_by_role("radio", name="3 March 2021 (additive score)").check()
    expect(demo.page.get_by_role("img", name="3 March 2021 (additive score)")).to_be_visible()
