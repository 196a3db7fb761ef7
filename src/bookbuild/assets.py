"""The site's styles, scripts and fonts: one esbuild run for all pages, files named by their content.

Everything goes to `site/` below the output folder. A build whose inputs have not changed copies the
files of the last one. The demos' bundle goes to `demos/dist/`, where Quarto expects it too.
"""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cache import digest, file_digest, write_atomic
from .errors import BookError
from .nodetool import PACKAGES, run_tool, tool_digest
from .theme.fonts import build_fonts

ENGINE = Path(__file__).parent


@dataclass
class Assets:
    """Paths from the site's root. `ojs` has the script of each page that was given a module.

    `font_css` is the @font-face rules in the style sheet; `theme.fonts.preloads` reads them.
    """

    css: str
    js: str
    ojs: dict[str, str]
    font_css: str


def build_assets(
    root: Path, out: Path, ojs_modules: dict[str, str], text: str, css: Sequence[Path] = ()
) -> Assets:
    """Fill `out/site/` and `root/demos/dist/`; raise BookError where a script or a style is wrong.

    `ojs_modules` maps a page ("chapters/x.html") to what compile_ojs gave; `text` is all pages' HTML,
    from which the fonts' characters come; `css` lists the project's own style sheets, bundled last.
    """
    shutil.rmtree(out / "site", ignore_errors=True)
    scripts = [path.read_text(encoding="utf-8") for path in sorted((root / "demos").glob("*.js"))]
    spoken = html.escape("\n".join([*ojs_modules.values(), *scripts]))
    fonts = build_fonts(out / "site" / "fonts", text + spoken, root / "build" / "cache" / "fonts")
    request = _request(root, ojs_modules, fonts, css)
    record = _bundle(root, request)
    shutil.copytree(root / "build" / "assets" / "site", out / "site", dirs_exist_ok=True)
    place = {name: path.removeprefix("build/assets/") for name, path in record["outputs"].items()}
    return Assets(
        css=place["bookbuild:book.css"],
        js=place["bookbuild:book.js"],
        ojs={page: place[f"bookbuild:page/{page}"] for page in ojs_modules},
        font_css=fonts,
    )


def _request(root: Path, ojs_modules: dict[str, str], fonts: str, css: Sequence[Path]) -> dict[str, Any]:
    """Describe the run: entries are small virtual modules, so that nothing is written to be bundled."""
    sheets = [ENGINE / "theme" / "book.css", *css]
    imports = "".join(f"@import {json.dumps(str(path.resolve()))};\n" for path in sheets)
    virtual = {
        "bookbuild:fonts.css": {"text": fonts, "loader": "css"},
        "bookbuild:book.css": {"text": f'@import "bookbuild:fonts.css";\n{imports}', "loader": "css"},
        "bookbuild:book.js": {"text": 'import "./theme/book.js";', "loader": "js"},
    }
    entries = [{"in": "bookbuild:book.css", "out": "book"}, {"in": "bookbuild:book.js", "out": "book"}]
    loader = (ENGINE / "ojs-loader.js").read_text(encoding="utf-8")
    for page, module in sorted(ojs_modules.items()):
        cells = f"bookbuild:cells/{page}"
        load = f"const loadCells = () => import({json.dumps(cells)});\n"
        virtual[cells] = {"text": module, "loader": "js"}
        virtual[f"bookbuild:page/{page}"] = {"text": load + loader, "loader": "js"}
        name = page.removesuffix(".html").replace("/", "-")
        entries.append({"in": f"bookbuild:page/{page}", "out": f"ojs/{name}"})
    return {
        "root": str(root.resolve()),
        "outdir": str(root.resolve() / "build" / "assets" / "site"),
        "demos": (root / "demos" / "book.js").exists(),
        "entries": entries,
        "virtual": virtual,
    }


def _bundle(root: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Run esbuild, unless the last run had the same request and the same files; return its record."""
    record_file = root / "build" / "assets" / "record.json"
    lock = file_digest(PACKAGES.parent / "package-lock.json") or ""
    key = digest(tool_digest("assets.mjs", "esbuild"), lock, json.dumps(request, sort_keys=True))
    if record_file.exists():
        record = json.loads(record_file.read_text(encoding="utf-8"))
        if record["key"] == key and _unchanged(root, record):
            return record
    answer = run_tool("assets.mjs", request)
    if "error" in answer:
        error = answer["error"]
        raise BookError(error["file"], error["line"], f"esbuild: {error['text']}")
    _remove_old_bundle(root, answer["demos"])
    own = [path for path in answer["inputs"] if "node_modules/" not in path]
    record = {
        "key": key,
        "files": {path: file_digest(root / path) for path in own + answer["demos"]},
        "outputs": answer["outputs"],
    }
    write_atomic(record_file, json.dumps(record, indent=1))
    return record


def _unchanged(root: Path, record: dict[str, Any]) -> bool:
    files = all(file_digest(root / path) == known for path, known in record["files"].items())
    return files and all((root / path).exists() for path in record["outputs"].values())


def _remove_old_bundle(root: Path, current: list[str]) -> None:
    """A file's name may hold its hash, so that those of earlier runs would pile up and be published."""
    for path in (root / "demos" / "dist").glob("*"):
        if path.relative_to(root).as_posix() not in current:
            path.unlink()
