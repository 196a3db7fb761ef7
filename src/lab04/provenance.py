"""Where a data file comes from, and whether the code that made it has changed since.

`write_json` writes a data file, `provenance` makes its provenance block, `code_hash` is the fingerprint
of the code in that block, and `check` compares a folder of data files with the code as it is now.
What a data file holds beside its provenance is the business of `report/results.py`.

Imports neither torch nor numpy: building the site and checking the data need neither.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXACT = ("provenance", "config")  # settings: a learning rate of 1e-08 must not be rounded away


@dataclass(frozen=True)
class Stale:
    """One data file that no longer matches what it was made from."""

    file: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}. Run `make lab` to make it again."


def code_hash(modules: Iterable[str | Path], root: Path = ROOT) -> str:
    """SHA-256 of what the files say, as hexadecimal digits.

    Python counts as its syntax tree, so comments, docstrings, quotes and line breaks do not matter, and
    neither does the version of Python (3.11 or later). JSON counts as its values, any other file as its
    bytes. Paths are taken from `root`; the order in which they are given does not matter.
    Raises FileNotFoundError for a missing file and SyntaxError for one that is not Python.
    """
    digest = hashlib.sha256()
    for name in sorted(_relative(path, root) for path in modules):
        path = root / name
        digest.update(f"file {name}\n".encode())
        if path.suffix == ".py":
            for token in _tokens(ast.parse(path.read_text(encoding="utf-8"), filename=name)):
                digest.update(f"{token}\n".encode())
        elif path.suffix == ".json":
            digest.update(json.dumps(json.loads(path.read_text(encoding="utf-8")), sort_keys=True).encode())
        else:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _relative(path: str | Path, root: Path) -> str:
    """The path from the project's root, with forward slashes, on every system."""
    return (root / path).resolve().relative_to(root.resolve()).as_posix()


def _tokens(node: Any) -> Iterator[str]:
    """Walk a syntax tree; leave out empty fields, which differ from one Python to the next."""
    if isinstance(node, ast.Constant):
        yield f"({type(node.value).__name__} {node.value!r})"
    elif isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for field, value in ast.iter_fields(node):
            if value is not None and value != [] and field != "type_comment":
                yield f".{field}"
                yield from _tokens(value)
        yield ")"
    elif isinstance(node, list):
        yield "["
        for item in node:
            if not _is_bare_string(item):
                yield from _tokens(item)
        yield "]"
    else:
        yield repr(node)


def _is_bare_string(node: Any) -> bool:
    """A statement that is only a string: a docstring, or a note. It does nothing when it runs."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def provenance(
    command: str,
    config: dict[str, Any],
    seeds: Iterable[int],
    files: Iterable[str | Path],
    root: Path = ROOT,
) -> dict[str, Any]:
    """The provenance block of a data file.

    command: what to type to make the file again. config: every setting of the run. seeds: all of them.
    files: the code that decides what is in the data, as paths from `root`.
    """
    files = list(files)
    return {
        "command": command,
        "config": config,
        "seeds": list(seeds),
        "versions": {
            "python": platform.python_version(),
            "torch": _version("torch"),
            "numpy": _version("numpy"),
        },
        "code": {"files": sorted(_relative(path, root) for path in files), "sha256": code_hash(files, root)},
        "date": datetime.now(UTC).date().isoformat(),
    }


def _version(package: str) -> str | None:
    """The installed version, read without importing the package; None when it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def check(data_dir: Path, root: Path = ROOT) -> list[Stale]:
    """Every data file (`*.json`, in sub-folders too) whose code has changed, by name."""
    found = []
    for path in sorted(Path(data_dir).rglob("*.json")):
        name = path.relative_to(data_dir).as_posix()
        found += [Stale(f"{Path(data_dir).name}/{name}", reason) for reason in _changes(path, root)]
    return found


def _changes(path: Path, root: Path) -> Iterator[str]:
    """What is wrong with one data file's provenance; nothing when all is well."""
    try:
        block = json.loads(path.read_text(encoding="utf-8"))["provenance"]
        files, expected, date = block["code"]["files"], block["code"]["sha256"], block["date"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        yield f"its provenance cannot be read ({type(error).__name__}: {error})"
        return
    missing = [name for name in files if not (root / name).is_file()]
    for name in missing:
        yield f"{name}, which made it, is gone"
    if not missing and code_hash(files, root) != expected:
        yield f"the code that made it has changed since {date} (in one or more of {', '.join(files)})"


def write_json(path: str | Path, obj: Any) -> None:
    """Write a data file: all of it or nothing, the same bytes for the same values.

    Keys are sorted, lists of plain values stay on one line, floats are rounded to six decimals except
    under "provenance" and "config". Raises ValueError for a NaN or an infinity, TypeError for a value
    that JSON has no word for (a tensor, say), each with its place in the file.
    """
    path = Path(path)
    text = _encode(_rounded(obj, path.name)) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _rounded(value: Any, where: str, exact: bool = False) -> Any:
    """The same value in JSON's own types, floats at six decimals unless `exact`."""
    if isinstance(value, dict):
        return {
            str(key): _rounded(item, f"{where}: {key}", exact or key in EXACT) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_rounded(item, f"{where}[{i}]", exact) for i, item in enumerate(value)]
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{where} is {value}: a data file holds finite numbers only.")
        return float(value) if exact else round(float(value), 6) + 0.0  # + 0.0 turns -0.0 into 0.0
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"{where} is a {type(value).__name__}: convert it to a number, string, list or dict.")


def _encode(value: Any, indent: str = "") -> str:
    """JSON with one line per key and per row of numbers: compact, and a diff can be read."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        rows = [
            f"{json.dumps(key, ensure_ascii=False)}: {_encode(value[key], inner)}" for key in sorted(value)
        ]
        return "{\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return "[\n" + ",\n".join(inner + _encode(item, inner) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
