"""Each fault of a source ends the build with its file, its line and a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from bookbuild.chapters import make_pages
from bookbuild.config import load_site
from bookbuild.errors import BookError, BookErrors

CONFIG = """project:
  type: website
website:
  title: T
  description: D
bibliography: refs.bib
format:
  html:
    number-sections: true
"""
HEAD = "---\ntitle: Page\n---\n"  # the text begins on line 4
BIB = "@book{known, title={T}, author={A, B}, year={2000}}\n"


def faults(root: Path, page: str, config: str = CONFIG, **files: str) -> list[str]:
    """Return the errors of a project with one page."""
    sources = {"_quarto.yml": config, "page.qmd": page, "refs.bib": BIB, "_variables.yml": "a:\n  b: c\n"}
    for name, text in {**sources, **files}.items():
        (root / name).write_text(text, encoding="utf-8")
    try:
        make_pages(load_site(root), root / "build")
    except BookErrors as errors:
        return [str(error) for error in errors.errors]
    return []


CASES = {
    "TeX in the text": ("A \\textbf{lost} B.\n", "page.qmd:4: TeX outside mathematics"),
    "a TeX block": ("\\begin{center}\nA\n\\end{center}\n", "page.qmd:4: TeX outside mathematics"),
    "a numbered example": ("One.\n\n@fig-a. Two.\n", "page.qmd:6: a paragraph that starts like"),
    "two cells of one label": (
        "```{python}\n#| label: aa\n1\n```\n\n```{python}\n#| label: aa\n2\n```\n",
        "page.qmd:9: duplicate label aa",
    ),
    "a label that is a path": (
        "```{python}\n#| label: ../x\n1\n```\n",
        "page.qmd:4: label '../x' names files",
    ),
    "unresolved reference": ("One.\n\nSee @fig-x.\n", "page.qmd:6: unresolved reference @fig-x: no #fig-x"),
    "unresolved in a group": (
        "A [@eq-a; @eq-b].\n\n$$x$$ {#eq-a}\n",
        "page.qmd:4: unresolved reference @eq-b",
    ),
    "second of two places": ("## A {#sec-a}\n\n@sec-a, @sec-b\n", "page.qmd:6: unresolved reference @sec-b"),
    "reference to no number": (
        "## A {#sec-a .unnumbered}\n\n@sec-a\n",
        "page.qmd:6: @sec-a names a heading without",
    ),
    "duplicate label": ("## A {#sec-a}\n\n## B {#sec-a}\n", "page.qmd:6: duplicate label #sec-a"),
    "duplicate equation": ("$$x$$ {#eq-a}\n\n$$y$$ {#eq-a}\n", "page.qmd:6: duplicate label #eq-a"),
    "text after a reference": (
        "[@eq-a, left]\n\n$$x$$ {#eq-a}\n",
        "page.qmd:4: text after a cross-reference",
    ),
    "reference and citation": (
        "[@known; @eq-a]\n\n$$x$$ {#eq-a}\n",
        "page.qmd:4: a cross-reference and a citation",
    ),
    "missing citation": ("One.\nTwo [@nobody].\n", "page.qmd:5: citation @nobody is not in the bibliography"),
    "unknown shortcode": ("{{< video x >}}\n", "page.qmd:4: unknown shortcode 'video'"),
    "unknown variable": ("One {{< var a.z >}}\n", "page.qmd:4: unknown variable 'a.z'"),
    "variable in an attribute": (
        '![x](a.svg){fig-alt="{{< var a.b >}}"}\n',
        "page.qmd:4: Quarto expands no shortcode",
    ),
    "include within a line": (
        "One {{< include x.md >}}\n",
        "page.qmd:4: unknown shortcode 'include': on a line",
    ),
    "missing include": ("\n{{< include no.md >}}\n", "page.qmd:5: included file not found: no.md"),
    "unknown callout": ("\n::: {.callout-foo}\nx\n:::\n", "page.qmd:5: unknown class .callout-foo"),
    "unknown callout option": (
        '\n::: {.callout-tip icon="false"}\nx\n:::\n',
        "page.qmd:5: unknown callout option icon; known are title and collapse",
    ),
    "unknown panel": ("::: {.panel-input}\nx\n:::\n", "page.qmd:4: unknown class .panel-input"),
    "unknown layout": ('::: {layout="[1,2]"}\nx\n:::\n', "page.qmd:4: unknown layout layout"),
    "theorems": ("::: {#thm-a}\nx\n:::\n", "page.qmd:4: numbered blocks of the kind 'thm'"),
    "tabset without headings": ("::: {.panel-tabset}\nx\n:::\n", "page.qmd:4: text before the first tab"),
    "image without text": ("\n![](a.svg)\n", "page.qmd:5: image without alternative text"),
    "level-1 heading": ("# Top\n", "page.qmd:4: level-1 heading in the text"),
    "unclosed div": ("\n::: {.note}\nx\n", "page.qmd:5: the ::: opened here is never closed"),
    "stray fence": ("x\n\n:::\n", "page.qmd:6: ':::' is left in the text"),
    "stray attributes": ("Words {#sec-x} here\n", "page.qmd:4: '{#sec-x}' is left in the text"),
    "footnote without text": ("Words[^a]\n", "page.qmd:4: 'Words[^a]' is left in the text: a footnote mark"),
    "unclosed shortcode": ("a {{< var\na.b >}}\n", "page.qmd:4: '{{<' is left in the text"),
    "unclosed code": ("\n```python\nx\n", "page.qmd:5: code fence ``` is never closed"),
    "unknown cell": ("```{r}\n1\n```\n", "page.qmd:4: unknown cell {r}"),
    "unknown cell option": (
        "```{python}\n#| fig-height: 3\n```\n",
        "page.qmd:4: unknown cell option 'fig-height'",
    ),
    "caption without label": ("```{ojs}\n//| fig-cap: C\n1\n```\n", "page.qmd:4: fig-cap without a label"),
    "cell options not YAML": ("```{python}\n#| a: b\n#| c: [\n```\n", "page.qmd:6: invalid YAML"),
    "inline code cell": ("One `{python} 1 + 1`\n", "page.qmd:4: inline {python} code"),
    "failing cell": (
        "```{python}\n#| echo: false\nx = 1\nx / 0\n```\n",
        "page.qmd:7: the cell failed: ZeroDivision",
    ),
    "unknown TeX": ("One\n\n$$\na\n\\nosuch{x}\n$$\n", "page.qmd:8: "),
    "OJS syntax": ("```{ojs}\nx = 1\ny = = 2\n```\n", "page.qmd:6: OJS: "),
}


@pytest.mark.parametrize("name", CASES)
def test_fault_is_reported_with_its_line(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    found = faults(tmp_path, HEAD + text)
    assert len(found) == 1, found
    assert found[0].startswith(expected)


def test_all_faults_of_a_page_are_reported_in_order(tmp_path: Path) -> None:
    found = faults(tmp_path, HEAD + "@fig-a\n\n[@none]\n\n::: {.callout-x}\n:::\n\n@fig-a\n")
    assert [line.split(":")[1] for line in found] == ["4", "6", "8", "11"]


def test_faults_of_all_pages_are_reported(tmp_path: Path) -> None:
    found = faults(tmp_path, HEAD + "@fig-a\n", **{"other.qmd": HEAD + "\n@fig-b\n"})
    assert [line.split(": ")[0] for line in found] == ["other.qmd:5", "page.qmd:4"]


def test_fault_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    found = faults(tmp_path, HEAD + "\n{{< include _part.md >}}\n", **{"_part.md": "a\n\n@fig-no\n"})
    assert found == ["_part.md:3: unresolved reference @fig-no: no #fig-no on this page"]


def test_file_that_includes_itself(tmp_path: Path) -> None:
    found = faults(tmp_path, HEAD + "{{< include _a.md >}}\n", **{"_a.md": "x\n\n{{< include _a.md >}}\n"})
    assert found == ["_a.md:3: _a.md includes itself"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("---\ndescription: D\n---\n", "page.qmd:1: no title"),
        ("---\ntitle: P\nfoo: 1\n---\n", "page.qmd:3: unknown page option 'foo'"),
        ("---\ntitle: P\nformat:\n  html:\n    fancy: 1\n---\n", "page.qmd:5: unknown html option 'fancy'"),
        ("---\ntitle: P\npage-layout: full\n---\n", "page.qmd:3: unknown page option 'page-layout'"),
        ("---\ntitle: P\nformat:\n  pdf: default\n---\n", "page.qmd:4: unknown format option 'pdf'"),
        ("---\ntitle: [\n---\n", "page.qmd:3: invalid YAML"),
        ("---\ntitle: P\nexecute:\n  freeze: auto\n---\n", "page.qmd:4: unknown execute option 'freeze'"),
    ],
)
def test_front_matter(head: str, expected: str, tmp_path: Path) -> None:
    found = faults(tmp_path, head + "Text.\n")
    assert len(found) == 1, found
    assert found[0].startswith(expected)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("type: website", "type: book", "_quarto.yml:2: project type must be website"),
        ("title: T", "title: T\n  margin-header: x", "_quarto.yml:5: unknown website option 'margin-header'"),
        ("title: T", "title: T\n  site-url: x", "_quarto.yml:5: unknown website option 'site-url'"),
        (
            "    number",
            "    toc-location: left\n    number",
            "_quarto.yml:9: unknown html option 'toc-location'",
        ),
        (
            "    number",
            "    include-in-header: x\n    number",
            "_quarto.yml:9: unknown html option 'include-in-header'",
        ),
        ("    number", "    html-math-method: katex\n    number", "_quarto.yml:9: html-math-method 'katex'"),
        ("refs.bib", "none.bib", "_quarto.yml:6: no such file: none.bib"),
        (
            "title: T",
            "title: T\n  sidebar:\n    contents:\n      - no.qmd",
            "_quarto.yml:7: no such file: no.qmd",
        ),
        ("project:", "project: [", "_quarto.yml:3: invalid YAML"),
    ],
)
def test_configuration(old: str, new: str, expected: str, tmp_path: Path) -> None:
    found = faults(tmp_path, HEAD, CONFIG.replace(old, new))
    assert len(found) == 1, found
    assert found[0].startswith(expected)


def test_folder_without_a_book(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"_quarto.yml: no such file"):
        load_site(tmp_path)


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    faults(tmp_path, HEAD)
    (tmp_path / "page.qmd").write_bytes(HEAD.encode() + b"ok\n\xff\n")
    with pytest.raises(BookErrors, match=r"page.qmd:5: this line is not UTF-8 text"):
        make_pages(load_site(tmp_path), tmp_path / "build")
