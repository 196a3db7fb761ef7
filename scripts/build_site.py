"""Build the site from data/: draw the figures, then render with Quarto or with the embedded engine.

`make site` and `make serve` call it. Quarto renders when it is on the path (or at QUARTO), else the
embedded engine; --engine chooses. Figures are drawn only when the data or the code that draws has
changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from bookbuild.build import build
from bookbuild.cache import digest, file_digest, write_atomic
from bookbuild.errors import BookErrors
from bookbuild.nodetool import NodeToolError
from bookbuild.serve import serve

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_site"
DRAWING = ("make_figures_04.py", "make_diagrams.py")
READ = ("dates.py", "formats.json", "measured.py", "provenance.py")  # beside the lab's report/


class BuildFailed(Exception):
    """A step that did not work; its own output has said why."""


def draw_figures() -> None:
    """Run the drawing scripts, unless neither what they read nor what they wrote has changed."""
    sources = [
        *ROOT.glob("data/*.json"),
        *(ROOT / "src" / "lab04" / name for name in READ),
        *ROOT.glob("src/lab04/report/*.py"),
        *(ROOT / "scripts" / s for s in DRAWING),
    ]
    stamp = ROOT / "build" / "figures.stamp"

    def state() -> str:
        files = [*sources, *ROOT.glob("figures/*"), ROOT / "_variables.yml"]
        return digest(*(f"{path.relative_to(ROOT)} {file_digest(path)}" for path in sorted(files)))

    if stamp.exists() and stamp.read_text() == state():
        return
    print("Drawing the figures from data/ ...", flush=True)
    for script in DRAWING:
        if subprocess.run(
            [sys.executable, str(ROOT / "scripts" / script)], stdout=subprocess.DEVNULL
        ).returncode:
            raise BuildFailed(f"scripts/{script} failed; see above.")
    write_atomic(stamp, state())


def find_quarto(engine: str) -> str | None:
    """Return the path of Quarto when it is to be used; BuildFailed when it is asked for and missing."""
    quarto = shutil.which(os.environ.get("QUARTO", "quarto")) if engine != "embedded" else None
    if engine == "quarto" and quarto is None:
        raise BuildFailed(
            "ENGINE=quarto, but no quarto is on the path; install it or set QUARTO=/path/to/quarto."
        )
    return quarto


def render_with_quarto(quarto: str) -> None:
    """Bundle the demos and let Quarto render the project."""
    esbuild = ["npm", "run", "--silent", "demos"]
    python = {"QUARTO_PYTHON": sys.executable}
    for command in (esbuild, [quarto, "render"]):
        if subprocess.run(command, cwd=ROOT, env=os.environ | python).returncode:
            raise BuildFailed(f"{' '.join(command)} failed; see above.")


def make_site(engine: str) -> bool:
    """Build once and print what came of it; return whether it worked."""
    start = time.perf_counter()
    try:
        quarto = find_quarto(engine)
        draw_figures()
        if quarto:
            render_with_quarto(quarto)
        else:
            build(ROOT, SITE)
    except BookErrors as error:
        count = len(error.errors)
        print(error, file=sys.stderr)
        print(f"The build stopped: {count} error{'s' * (count != 1)}. The old site stays.", file=sys.stderr)
        return False
    except (BuildFailed, NodeToolError) as error:
        print(f"The build stopped: {error}", file=sys.stderr)
        return False
    pages = sum(1 for _ in SITE.rglob("*.html"))
    name = f"Quarto ({quarto})" if quarto else "the embedded engine"
    print(f"Built {pages} pages with {name} in {time.perf_counter() - start:.1f} s: {SITE.name}/")
    return True


def main() -> int:
    """Build, and serve when asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=("auto", "quarto", "embedded"), default="auto")
    parser.add_argument("--serve", action="store_true", help="serve the site and rebuild it on change")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not 0 <= options.port <= 65535:
        parser.error(f"the port is {options.port}; choose one from 0 to 65535, such as make serve PORT=8001")
    try:
        if options.serve:
            serve(ROOT, options.port, lambda: make_site(options.engine), SITE)
        elif make_site(options.engine):
            print("To read it: make serve")
        else:
            return 1
    except BookErrors as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. The old site stays.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
