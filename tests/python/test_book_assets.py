"""Bundling: what lands in the site, under which names, and when nothing has to be done again."""

import re
from pathlib import Path

import pytest

from bookbuild import assets
from bookbuild.assets import Assets, build_assets
from bookbuild.errors import BookError

FONT_CSS = '@font-face{font-family:"F";src:url(fonts/f-1.woff2) format("woff2")}'
MODULE = 'import { mount } from "bookbuild:ojs-client";\nmount([]);\n'
PAGES = {"chapters/a.html": MODULE, "chapters/b.html": MODULE + "// b\nconsole.log('b');\n"}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one demo and one style sheet; drawing up real fonts would take seconds."""
    (tmp_path / "demos").mkdir()
    (tmp_path / "demos" / "book.js").write_text(
        'export { value } from "./part.js";\nexport const later = () => import("./late.js");\n'
    )
    (tmp_path / "demos" / "part.js").write_text('export const value = "→ 1";\n')
    (tmp_path / "demos" / "late.js").write_text("export const late = 2;\n")
    (tmp_path / "own.css").write_text(".own-rule { color: red; }\n")

    def fonts(out: Path, text: str, _: Path) -> str:
        out.mkdir(parents=True)
        (out / "f-1.woff2").write_bytes(text.encode())
        return FONT_CSS

    monkeypatch.setattr(assets, "build_fonts", fonts)
    return tmp_path


def build(root: Path, out: str = "out", modules: dict[str, str] = PAGES) -> Assets:
    return build_assets(root, root / out, modules, "<p>text</p>", [root / "own.css"])


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each run of esbuild."""
    names: list[str] = []
    run_tool = assets.run_tool

    def counted(tool: str, request: dict) -> object:
        names.append(tool)
        return run_tool(tool, request)

    monkeypatch.setattr(assets, "run_tool", counted)
    return names


def test_files_are_named_by_their_content_and_found(root: Path) -> None:
    built = build(root)
    assert re.fullmatch(r"site/book-[A-Z0-9]{8}\.css", built.css)
    assert re.fullmatch(r"site/book-[A-Z0-9]{8}\.js", built.js)
    assert re.fullmatch(r"site/ojs/chapters-a-[A-Z0-9]{8}\.js", built.ojs["chapters/a.html"])
    for path in (built.css, built.js, *built.ojs.values(), "site/fonts/f-1.woff2"):
        assert (root / "out" / path).is_file()
    css = (root / "out" / built.css).read_text()
    assert css.index("fonts/f-1.woff2") < css.index(".own-rule")


def test_the_runtime_is_one_shared_file_that_no_page_loads_at_once(root: Path) -> None:
    built = build(root)
    site = contents(root / "out")
    holders = [name for name, data in site.items() if b"circular definition" in data]
    assert len(holders) == 1
    assert holders[0].startswith("site/chunks/")
    for page in (*built.ojs.values(), built.js):
        text = site[page].decode()
        assert not re.search(r'\bfrom"|^import"', text)
        assert len(text) < 10_000
    assert not any(b"sourceMappingURL" in data for data in site.values())


def test_demos_are_bundled_where_the_chapters_look_for_them(root: Path) -> None:
    build(root)
    dist = contents(root / "demos" / "dist")
    assert b'"\\u2192 1"' in dist["book.js"] or "→ 1".encode() in dist["book.js"]
    assert sum(name.startswith("late-") for name in dist) == 1


def test_characters_of_demos_and_cells_reach_the_fonts(root: Path) -> None:
    build(root, modules={"a.html": MODULE + 'const sign = "∂";\n'})
    text = (root / "out" / "site" / "fonts" / "f-1.woff2").read_text()
    assert "→" in text
    assert "∂" in text


def test_the_same_input_gives_the_same_bytes_in_another_folder(root: Path, tmp_path_factory) -> None:
    build(root)
    other = tmp_path_factory.mktemp("elsewhere")
    for name, data in contents(root).items():
        if name.startswith(("demos/", "own.css")) and "dist" not in name:
            (other / name).parent.mkdir(exist_ok=True)
            (other / name).write_bytes(data)
    build(other)
    assert contents(other / "out") == contents(root / "out")
    assert contents(other / "demos" / "dist") == contents(root / "demos" / "dist")


def test_esbuild_runs_only_when_something_changed(root: Path, runs: list[str]) -> None:
    first = build(root)
    before = contents(root / "out")
    assert build(root, "again") == first
    assert contents(root / "again") == before
    assert len(runs) == 1
    (root / "demos" / "part.js").write_text('export const value = "changed";\n')
    assert build(root).ojs == first.ojs
    assert b"changed" in (root / "demos" / "dist" / "book.js").read_bytes()
    (root / "own.css").write_text(".own-rule { color: blue; }\n")
    assert build(root).css != first.css
    (root / "demos" / "dist" / "book.js").unlink()
    build(root)
    assert (root / "demos" / "dist" / "book.js").exists()
    assert len(runs) == 4


def test_what_an_earlier_run_left_is_not_published(root: Path) -> None:
    build(root)
    (root / "demos" / "dist" / "plotly-OLDOLD12.js").write_text("old")
    (root / "out" / "site" / "book-OLDOLD12.js").write_text("old")
    (root / "demos" / "part.js").write_text("export const value = 3;\n")
    build(root)
    assert not list(root.rglob("*OLDOLD12*"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("demos/part.js", "export const value = ;\n", r"^demos/part.js:1: esbuild: Unexpected"),
        ("demos/book.js", '\nimport "./gone.js";\n', r"^demos/book.js:2: esbuild: Could not resolve"),
        ("own.css", '@import "./gone.css";\n', r"^own.css:1: esbuild: Could not resolve"),
    ],
)
def test_a_fault_names_the_file_and_the_line(root: Path, name: str, text: str, message: str) -> None:
    (root / name).write_text(text)
    with pytest.raises(BookError, match=message):
        build(root)
