"""Builds the whole site: renders the chapters, lays out the files, checks the links, swaps the folders.

A build works in a folder of its own under build/ and replaces the site only when all went well.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from .assets import build_assets
from .cache import digest
from .chapters import make_pages
from .config import Site, load_site
from .errors import BookError, BookErrors
from .finish import size_images
from .links import check_links
from .options import as_list, key_line
from .page import Page, page_html
from .pandoc import Parts
from .search import SearchPage, search_index


def build(root: Path, out: Path | None = None) -> None:
    """Build the site of the project at `root` into `out`; on any error the old site stays."""
    root = root.resolve()
    site = load_site(root)
    out = (out or root / site.output_dir).resolve()
    _check_out(root, site, out)
    work = root / "build"
    work.mkdir(exist_ok=True)
    pages, modules = make_pages(site, work / "cache")
    fresh = Path(tempfile.mkdtemp(prefix="site-", dir=work))
    try:
        fresh.chmod(0o755)
        _lay_out(site, pages, modules, fresh)
        if errors := check_links(fresh, {page.url: (page.file, page.markdown) for page in pages}):
            raise BookErrors(errors)
        _swap(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _check_out(root: Path, site: Site, out: Path) -> None:
    """Refuse to replace a folder that is no site."""
    if out == root or out in root.parents or (out.exists() and not out.is_dir()):
        raise BookError(out, None, "the site cannot be written here. Choose another folder.")
    if any(out.rglob("*.qmd")):
        raise BookError(out, None, "this folder holds sources, and a build replaces it. Choose another.")
    ours = out == root / site.output_dir or (out / "site").is_dir() or not out.exists()
    if not ours and any(out.iterdir()):
        raise BookError(out, None, "this folder holds other files, and a build replaces it. Choose another.")


def _lay_out(site: Site, pages: list[Page], modules: dict[str, str], out: Path) -> None:
    """Write everything that belongs to the site into `out`."""
    own_css = [site.root / name for name in as_list(site.html.get("css"))]
    words = [site.title, site.footer, (Path(__file__).parent / "template.html").read_text(encoding="utf-8")]
    text = "\n".join([*words, *(part for page in pages for part in (page.title, *vars(page.parts).values()))])
    assets = build_assets(site.root, out, modules, text, own_css)
    _copy_resources(site, out)
    index = search_index([SearchPage(page.url, page.title, _searched(page.parts)) for page in pages])
    search = f"site/search-{digest(index)[:8]}.json"
    (out / search).write_text(index, encoding="utf-8")
    titles = {page.url: page.title for page in pages}
    for page in pages:
        place = out / page.url
        place.parent.mkdir(parents=True, exist_ok=True)
        for name, data in page.markdown.files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(data)
        page.parts.body = _images(site, page, out)
        place.write_text(page_html(site, page, titles, assets, search), encoding="utf-8")


def _searched(parts: Parts) -> str:
    """Return what the search finds of a page: all of its text but the title, which each result shows."""
    return f"<p>{parts.subtitle}</p><p>{parts.description}</p>{parts.body}"


def _images(site: Site, page: Page, out: Path) -> str:
    """Copy the images that a page shows into the site, and set their sizes in its HTML."""

    def read(source: str) -> bytes | None:
        if re.match(r"^([a-z]+:|//)", source):
            return None
        target = (out / page.url).parent / source
        origin = (site.root / page.file).parent / source
        if not target.is_file() and origin.is_file() and origin.resolve().is_relative_to(site.root):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, target)
        return target.read_bytes() if target.is_file() else None

    return size_images(page.parts.body, read)


def _copy_resources(site: Site, out: Path) -> None:
    """Copy what `project: resources:` names, and the favicon; names with _ or . in front stay out."""
    text = (site.root / "_quarto.yml").read_text(encoding="utf-8")
    for pattern in [*site.resources, *as_list(site.favicon)]:
        found = sorted(site.root.glob(pattern.lstrip("/")))
        if not found:
            raise BookError("_quarto.yml", key_line(text, "resources"), f"resource {pattern} matches no file")
        for path in found:
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in (file for file in files if file.is_file()):
                inside = file.relative_to(site.root)
                if any(part[0] in "._" for part in file.relative_to(path.parent).parts):
                    continue
                (out / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, out / inside)


def _swap(fresh: Path, out: Path) -> None:
    """Put the new site in the old one's place."""
    old = fresh.with_name(fresh.name + "-old")
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.exists():
        shutil.move(out, old)
    shutil.move(fresh, out)
    shutil.rmtree(old, ignore_errors=True)
