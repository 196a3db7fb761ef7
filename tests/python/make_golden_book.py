"""Renders the golden book for the tests; with --write, stores its page as the new expectation.

    python tests/python/make_golden_book.py --write

Look at the difference before you commit it: the test can only say that something changed.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BOOK = HERE / "golden_book"
EXPECTED = HERE / "golden_book.html"


def copy_book(folder: Path) -> Path:
    """Copy the golden book into `folder`, so that a build writes nothing into the repository."""
    return Path(shutil.copytree(BOOK, folder / "book"))


def content(html: str) -> str:
    """Return what the engine made of the chapter: the list of headings and the main text."""
    toc = re.search(r'<nav id="toc".*?</nav>', html, re.DOTALL)
    main = re.search(r"<main.*?</main>", html, re.DOTALL)
    assert toc
    assert main
    return f"{toc.group(0)}\n{main.group(0)}\n"


def main() -> None:
    """Build the book and store the page."""
    from bookbuild.build import build

    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        book = copy_book(Path(folder))
        build(book)
        EXPECTED.write_text(
            content((book / "_site/chapters/constructs.html").read_text(encoding="utf-8")), "utf-8"
        )
    print(f"wrote {EXPECTED}")


if __name__ == "__main__":
    main()
