"""The command line: `python -m bookbuild build` and `python -m bookbuild serve`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .build import Result, build
from .errors import BookError, BookErrors
from .nodetool import NodeToolError


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="bookbuild", description="Render the book without Quarto.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("build", "render the site"), ("serve", "render, serve, and render again on change")):
        command = commands.add_parser(name, help=text)
        command.add_argument("--root", type=Path, default=Path(), help="the folder with _quarto.yml")
        command.add_argument("--out", type=Path, help="the folder to write (default: output-dir)")
        if name == "serve":
            command.add_argument("--port", type=int, default=4204)
    options = parser.parse_args(arguments)
    if options.command == "serve":
        return _serve(options.root, options.out, options.port)
    return 0 if _build(options.root, options.out) else 1


def _build(root: Path, out: Path | None) -> Result | None:
    try:
        result = build(root, out)
    except (BookError, BookErrors, NodeToolError) as error:
        count = len(error.errors) if isinstance(error, BookErrors) else 1
        print(error, file=sys.stderr)
        print(f"The build stopped: {count} error{'s' * (count != 1)}. The old site stays.", file=sys.stderr)
        return None
    print(f"embedded engine: {result.pages} pages in {result.seconds:.1f} s → {result.out}")
    where = "" if root.resolve() == Path.cwd() else f" --root {root}"
    print(f"to read it: python -m bookbuild serve{where}")
    return result


def _serve(root: Path, out: Path | None, port: int) -> int:
    from .serve import serve

    try:
        serve(root, port, lambda: _build(root, out), out)
    except BookError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
