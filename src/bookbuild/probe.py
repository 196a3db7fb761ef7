"""Runs inside the cells' kernel, as an IPython extension: notes what the cells read, and sets up figures.

Seen: files opened for reading by Python code, folders searched with `glob`, and modules of the project,
all below BOOKBUILD_ROOT. Not seen: what a subprocess or a C library opens by itself, and `os.listdir`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("BOOKBUILD_ROOT", ".")).resolve()
IGNORED = {".git", ".venv", "__pycache__", "_site", "build", "node_modules"}
WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC

_seen: set[str] = set()


def load_ipython_extension(shell: Any) -> None:
    """Draw figures as SVG with the same bytes on every run, then start to watch."""
    shell.config.InlineBackend.figure_formats = {"svg"}
    shell.config.InlineBackend.rc = {"svg.hashsalt": "book"}
    sys.addaudithook(_watch)


def report() -> None:
    """Print the files that were read, as JSON: paths from the project's root, sorted."""
    modules = {
        str(file)
        for name, module in list(sys.modules.items())
        if (file := getattr(module, "__file__", None)) and name.partition(".")[0] != "bookbuild"
    }
    paths = {path for name in _seen | modules if (path := _below_root(name))}
    print(json.dumps(sorted(paths)))


def _watch(event: str, arguments: tuple) -> None:
    if event == "open":
        path, mode, flags = arguments
        writes = any(letter in mode for letter in "wxa") if isinstance(mode, str) else flags & WRITING
        if isinstance(path, (str, bytes, os.PathLike)) and not writes:
            _seen.add(os.path.abspath(os.fsdecode(path)))
    elif event == "glob.glob":
        folder = str(arguments[0]).partition("*")[0]
        _seen.add(os.path.abspath(folder if folder.endswith("/") else os.path.dirname(folder)))
    elif event == "pathlib.Path.glob":
        _seen.add(os.path.abspath(str(arguments[0])))


def _below_root(name: str) -> str | None:
    """Return the path from the root, or None for a file that is not the project's own."""
    try:
        path = Path(name).resolve().relative_to(ROOT)
    except ValueError:
        return None
    return None if IGNORED.intersection(path.parts) else path.as_posix()
