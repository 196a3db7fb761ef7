"""OJS blocks compiled to a module: what it holds, and what is refused, with its line."""

from pathlib import Path

import pytest

from bookbuild import ojs
from bookbuild.errors import BookErrors
from bookbuild.nodetool import run_tool
from bookbuild.ojs import compile_pages, shown
from bookbuild.prepass import Cell

PAGE = Path("chapters/page.qmd")
LIBRARY = """// The bundle of our demos
lib = import(new URL("../demos/dist/book.js", document.baseURI))

Inputs = lib.Inputs"""


def cell(code: str, line: int, **options: object) -> Cell:
    """A block whose code begins on `line`."""
    return Cell("ojs", code, options, line, fence_line=line - 1)


PAGES: dict[str, list[Cell]] = {
    "split": [
        cell(LIBRARY, 10),
        cell("viewof x = Inputs.range([0, 1])\nx * 2;\n{ return viewof x; }", 20),
    ],
    "long": [
        cell("// only\n/* comments */", 10),
        cell("a = [1,\n  2]\n// b = 3\nc = `x\n${a.map((d) => `${d}`)}`\n", 20),
    ],
    "known": [cell("[width, now, invalidation, visibility, Generators, matchMedia, new URL('a:b')]", 10)],
    "own": [cell(LIBRARY, 10), cell("Plot = lib.Plot\nPlot.plot()", 20)],
    "options": [
        cell("a = 1", 10, output=False),
        cell("b = 1", 20, output=True, echo=False),
        cell("c = 1", 30, eval=False),
        cell("d = 1", 40, include=False),
    ],
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The module of each of PAGES, all compiled in one process."""
    pages = [(Path(f"{name}.qmd"), blocks) for name, blocks in PAGES.items()]
    return dict(zip(PAGES, compile_pages(pages, tmp_path_factory.mktemp("ojs")), strict=True))


def test_a_block_is_split_into_its_cells(modules: dict[str, str]) -> None:
    module = modules["split"]
    assert module.count('"block": 1,') == 2
    assert module.count('"block": 2,') == 3
    assert '"name": "viewof$x", "show": true, "view": true, "inputs": ["Inputs"]' in module
    assert '"name": null, "show": true, "view": false, "inputs": ["x"]' in module
    assert '"inputs": ["viewof$x"]' in module
    assert 'import(new URL("../demos/dist/book.js", document.baseURI))' in module
    assert "eval" not in module


def test_a_cell_may_span_lines_and_hold_templates_and_comments(modules: dict[str, str]) -> None:
    assert modules["long"].count('"block"') == 2
    assert '"name": "c", "show": true, "view": false, "inputs": ["a"]' in modules["long"]


def test_names_of_the_browser_and_of_the_runtime_are_known(modules: dict[str, str]) -> None:
    assert '"inputs": ["width", "now", "invalidation"' in modules["known"]


def test_a_name_that_a_cell_defines_hides_the_builtin(modules: dict[str, str]) -> None:
    assert '"name": "Plot", "show": true, "view": false, "inputs": ["lib"]' in modules["own"]


def test_what_is_shown(modules: dict[str, str]) -> None:
    assert '"block": 1, "name": "a", "show": false' in modules["options"]
    assert '"block": 2, "name": "b", "show": true' in modules["options"]
    assert '"name": "c"' not in modules["options"]
    assert '"block": 4, "name": "d", "show": false' in modules["options"]
    assert [shown({"include": False}), shown({"echo": False})] == [False, True]


FAULTS = [
    ("x = {\n  a: 1,\n  b = }", 22, "Unexpected token"),
    ("a = 1\n\nb = 'open", 22, "Unterminated string"),
    ("a = `${", 20, "Unexpected end of input"),
    ("first = 2", 20, "first is defined more than once on this page"),
    ("viewof first = document.body", 20, "first is defined more than once"),
    ("a = 1\nb = frist + 1", 21, "frist is not defined on this page"),
    ("viewof nothing", 20, "viewof nothing is not defined"),
    ("a = 1\nPlot.plot()", 21, "write Plot = lib.Plot"),
    ("FileAttachment('x.csv')", 20, "FileAttachment comes from a CDN in Quarto"),
    ("a = 1\nmutable count = 0", 21, "`mutable` is not supported"),
    ("import {chart} from '@user/chart'", 20, "CDN"),
    ("a = 1\n\nd3 = import('d3')", 22, "another host"),
    ("d3 = import('https://example.org/d3.js')", 20, "another host"),
]


@pytest.fixture(scope="module")
def faults() -> list[dict]:
    """What the compiler says to each of FAULTS, all in one process."""
    first = {"code": "first = 1", "line": 10, "show": True}
    return run_tool("ojs.mjs", [[first, {"code": code, "line": 20, "show": True}] for code, _, _ in FAULTS])


@pytest.mark.parametrize("number", range(len(FAULTS)), ids=[reason for _, _, reason in FAULTS])
def test_a_fault_has_its_line_and_reason(faults: list[dict], number: int) -> None:
    _, line, reason = FAULTS[number]
    assert reason in faults[number]["error"]
    assert faults[number]["line"] == line


def test_a_fault_ends_the_build_with_the_page_and_the_line(tmp_path: Path) -> None:
    good = (Path("chapters/good.qmd"), [cell("a = 1", 3)])
    bad = (PAGE, [cell("a = 1\n\nb = }", 20)])
    with pytest.raises(BookErrors, match=r"^chapters/page.qmd:22: OJS: Unexpected token$"):
        compile_pages([good, bad], tmp_path)


def test_all_changed_pages_share_one_process_and_the_others_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counted(_: str, request: list[list[dict]]) -> list[dict]:
        asked.append(len(request))
        cell = {"block": 1, "name": "a", "show": True, "view": False, "inputs": [], "body": "() => 1"}
        return [{"cells": [cell]} for _ in request]

    monkeypatch.setattr(ojs, "run_tool", counted)
    pages = [(Path(f"{name}.qmd"), [cell(f"{name} = 1", 1)]) for name in "abc"]
    first = compile_pages(pages, tmp_path)
    moved = [(path, [cell(block.code, 9, echo=False) for block in blocks]) for path, blocks in pages]
    assert compile_pages(moved, tmp_path) == first
    compile_pages([*pages, (PAGE, [cell("d = 1", 1)])], tmp_path)
    assert asked == [3, 1]
