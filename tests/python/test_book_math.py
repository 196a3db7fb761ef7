"""TeX to MathML: what comes out, what is kept, and what is refused."""

from pathlib import Path

import pytest

from bookbuild import texmath
from bookbuild.errors import BookErrors
from bookbuild.texmath import Formula, render_math

PAGE = Path("chapters/page.qmd")


def formula(tex: str, display: bool = False, line: int = 7) -> Formula:
    return Formula(tex, display, PAGE, line)


def test_inline_and_display_in_order(tmp_path: Path) -> None:
    inline, display, again = render_math(
        [formula("\\mathbf{W}_q"), formula("\\mathbf{W}_q", True), formula("\\mathbf{W}_q")], tmp_path
    )
    assert inline == "<math><msub><mi>𝐖</mi><mi>q</mi></msub></math>"
    assert 'display="block"' in display
    assert again == inline


def test_operators_close_up_in_scripts_only(tmp_path: Path) -> None:
    tight = '<mo lspace="0em" rspace="0em">−</mo>'
    script, over, line = render_math([formula("h_{t-1}"), formula("a^{(x_i-1)}"), formula("t-1")], tmp_path)
    assert tight in script
    assert tight in over
    assert "<mo>−</mo>" in line
    (commas,) = render_math([formula("f(a,b)_{t,i}")], tmp_path)
    assert commas.count('<mo separator="true">,</mo>') == 1
    assert commas.count('<mo separator="true" lspace="0em" rspace="0em">,</mo>') == 1


def test_only_new_formulas_reach_node_and_all_of_them_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    run_tool = texmath.run_tool

    def counted(tool: str, request: list[dict]) -> object:
        asked.append([item["tex"] for item in request])
        return run_tool(tool, request)

    monkeypatch.setattr(texmath, "run_tool", counted)
    first = render_math([formula("a"), formula("b")], tmp_path)
    assert render_math([formula("b"), formula("a")], tmp_path) == first[::-1]
    render_math([formula("a"), formula("c"), formula("c")], tmp_path)
    assert asked == [["a", "b"], ["c"]]


def test_nothing_to_do_needs_no_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert render_math([], tmp_path) == []


@pytest.mark.parametrize(
    ("tex", "line", "reason"),
    [
        ("x \\unknowncommand", 7, "Unsupported function name: \\unknowncommand"),
        ("\na\n+ \\unknowncommand{b}", 9, "Unsupported function name"),
        ("\\frac{1", 7, "expected '}'"),
        ("a & b", 7, "got '&'"),
        ("x \\tag{1}", 7, "{#eq-name}"),
        ("\\href{https://example.org}{x}", 7, "Unsupported function name: \\href"),
    ],
)
def test_what_temml_does_not_know_ends_the_build(tmp_path: Path, tex: str, line: int, reason: str) -> None:
    with pytest.raises(BookErrors) as caught:
        render_math([formula("a"), formula(tex, True)], tmp_path)
    assert str(caught.value).startswith(f"chapters/page.qmd:{line}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(BookErrors) as caught:
        render_math([formula("\\one", line=3), formula("fine"), formula("\\two", line=8)], tmp_path)
    assert [error.line for error in caught.value.errors] == [3, 8]


def test_text_from_a_formula_cannot_become_markup(tmp_path: Path) -> None:
    (mathml,) = render_math([formula("\\text{<script>alert(1)</script>} < 1")], tmp_path)
    assert "<script" not in mathml
