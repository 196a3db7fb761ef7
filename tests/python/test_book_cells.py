"""Cells of a page: what they show, what makes them run again, and how a failure is reported."""

import json
import py_compile
from pathlib import Path

import pytest

from bookbuild import cells as cells_module
from bookbuild.cells import run_cells
from bookbuild.errors import BookError
from bookbuild.outputs import OutputError, read_outputs
from bookbuild.prepass import Cell


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("chapters", "data", "src/helper"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "data" / "numbers.txt").write_text("1 2 3")
    (tmp_path / "src" / "helper" / "__init__.py").write_text("FACTOR = 10\n")
    py_compile.compile(str(tmp_path / "src" / "helper" / "__init__.py"))  # so that no import opens the source
    return tmp_path


def cell(code: str, line: int, **options: object) -> Cell:
    """A cell whose code begins on `line`."""
    return Cell("python", code, options, line, fence_line=line - 1)


def run(root: Path, *codes: str, **options: object) -> list:
    cells = [cell(code, 10 * number, **options) for number, code in enumerate(codes, start=1)]
    return run_cells(root / "chapters" / "page.qmd", cells, root, root / "build")


class Executed(Exception):
    """A kernel would have been started."""


def execute_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, raise Executed where a kernel would be started."""

    def refuse(*_: object) -> None:
        raise Executed

    monkeypatch.setattr(cells_module, "_execute", refuse)


READS = """
import helper
from pathlib import Path
print(sum(map(int, open("../data/numbers.txt").read().split())) * helper.FACTOR)
print(len(list(Path("../data").glob("*.txt"))), Path("../data/late.txt").exists())
try:
    print(Path("../data/maybe.txt").read_text())
except FileNotFoundError:
    print("no maybe")
"""
DRAWS = """
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.plot([1, 2], label="a line")
axes.legend()
"""
MARKDOWN = "from IPython.display import Markdown\nprint('before')\nMarkdown('**bold**')"


def test_outputs_of_each_kind_and_the_same_bytes_twice(root: Path) -> None:
    codes = ["x = 6", "print('a'); print('b')\nx * 7", DRAWS, MARKDOWN]
    first = run(root, *codes)
    assert first[0] == []
    assert [(output.kind, output.data) for output in first[1]] == [("text", "a\nb\n"), ("text", "42\n")]
    assert [output.kind for output in first[2]] == ["svg"]
    assert [(output.kind, output.data) for output in first[3]] == [
        ("text", "before\n"),
        ("markdown", "**bold**"),
    ]
    (root / "build" / "cells" / "chapters-page.qmd.json").unlink()
    assert run(root, *codes) == first


def test_a_page_runs_again_only_when_what_it_reads_has_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(root, READS)
    assert first[0][0].data == "60\n1 False\nno maybe\n"
    execute_again(monkeypatch)
    read = root / "build" / "cells" / "chapters-page.qmd.json"
    assert list(json.loads(read.read_text())["files"]) == [
        "data",
        "data/maybe.txt",
        "data/numbers.txt",
        "src/helper/__init__.py",
    ]
    (root / "chapters" / "other.qmd").write_text("a neighbour, which no cell reads")
    assert run(root, READS) == first
    for path, text in [
        ("data/numbers.txt", "1 2 4"),
        ("data/new.txt", "1"),  # the cell globs this folder
        ("data/maybe.txt", "here now"),  # the cell looked for it in vain
        ("src/helper/__init__.py", "FACTOR = 100"),
    ]:
        before = (root / path).read_text() if (root / path).exists() else None
        (root / path).write_text(text)
        with pytest.raises(Executed):
            run(root, READS)
        if before is None:
            (root / path).unlink()
        else:
            (root / path).write_text(before)
        assert run(root, READS) == first


def test_a_moved_cell_is_still_cached_and_a_changed_one_is_not(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, cache = root / "chapters" / "page.qmd", root / "build"
    run_cells(source, [cell("print(1)", 5)], root, cache)
    execute_again(monkeypatch)
    run_cells(source, [cell("print(1)", 50, echo=False)], root, cache)
    with pytest.raises(Executed):
        run_cells(source, [cell("print(2)", 5)], root, cache)


def test_cells_that_are_not_evaluated_start_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute_again(monkeypatch)
    assert run(root, "1 / 0", eval=False) == [[]]
    assert run(root) == []


@pytest.mark.parametrize(
    ("codes", "line", "reason"),
    [
        (["def f():\n    y = 1\n    return 1 / 0", "a = 1\nf()"], 12, "ZeroDivisionError: division by zero"),
        (["a = 1", "a = 1\n\nb = a + missing"], 22, "NameError: name 'missing' is not defined"),
        (["x = 1\ny = = 2"], 11, "SyntaxError: invalid syntax"),
        (["a = 1", "import os\nos._exit(3)"], 20, "the cell ended its Python process"),
        (["a = 1", "from IPython.display import HTML\nHTML('<b>x</b>')"], 20, "text/html"),
    ],
)
def test_a_failure_names_the_page_the_line_and_the_reason(
    root: Path, codes: list[str], line: int, reason: str
) -> None:
    with pytest.raises(BookError) as caught:
        run(root, *codes)
    assert str(caught.value).startswith(f"chapters/page.qmd:{line}: ")
    assert reason in str(caught.value)


def test_a_cell_that_does_not_end_is_stopped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells_module, "TIMEOUT", 1)
    with pytest.raises(BookError, match=r"page.qmd:10: the cell ran for more than 1 seconds"):
        run(root, "while True: pass")


def bundle(**data: str) -> dict:
    return {"output_type": "display_data", "data": {name.replace("_", "/", 1): d for name, d in data.items()}}


def test_markdown_is_preferred_to_html_and_a_table_of_html_is_refused() -> None:
    both = read_outputs([bundle(text_html="<p>", text_markdown="p")], {})
    assert [(output.kind, output.data) for output in both] == [("markdown", "p")]
    with pytest.raises(OutputError, match="CDN"):
        read_outputs([bundle(text_html="<table>", text_plain="a b")], {})
    with pytest.raises(OutputError, match="application/json"):
        read_outputs([bundle(application_json="{}")], {})


def test_a_memory_address_is_refused() -> None:
    with pytest.raises(OutputError, match="at 0x7eff1586f2c0"):
        read_outputs([bundle(text_plain="<object object at 0x7eff1586f2c0>")], {})


def test_png_is_bytes_and_what_a_plotting_call_returns_is_dropped() -> None:
    outputs = read_outputs(
        [bundle(image_png="AAEC"), bundle(text_plain="[<matplotlib.lines.Line2D at 0x7f>]")], {}
    )
    assert [(output.kind, output.data) for output in outputs] == [("png", b"\x00\x01\x02")]


def test_options_for_printed_text() -> None:
    messages = [
        {"output_type": "stream", "name": "stdout", "text": "*a*"},
        {"output_type": "stream", "name": "stderr", "text": "careful"},
    ]
    assert [output.kind for output in read_outputs(messages, {"output": "asis"})] == ["markdown", "markdown"]
    assert [output.data for output in read_outputs(messages, {"warning": False})] == ["*a*"]
