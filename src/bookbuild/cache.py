"""Results kept under build/, found again by the hash of all that they depend on.

A result is a small file named by its key. Nothing is ever removed here: `make clean` empties the folder.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path


def digest(*parts: str | bytes) -> str:
    """Return a short hash of `parts` in order; no two lists of parts share one by being glued together."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        sha.update(f"{len(data)}:".encode())
        sha.update(data)
    return sha.hexdigest()[:24]


def file_digest(path: Path) -> str | None:
    """Return the hash of a file's content, or of a folder's names; None where there is nothing."""
    if path.is_dir():
        return digest("folder", *sorted(entry.name for entry in path.iterdir()))
    try:
        return digest(path.read_bytes())
    except OSError:
        return None


def files_digest(paths: Iterable[Path]) -> str:
    """Return one hash for the contents of several files."""
    return digest(*(f"{path.name}={file_digest(path)}" for path in paths))


def write_atomic(path: Path, data: str | bytes) -> None:
    """Write `data` so that a reader, or a build cut short, never sees half a file.

    Several threads may write the same file at once; the last one's stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".part-{os.getpid()}-{threading.get_ident()}-{path.name}")
    part.write_bytes(data.encode() if isinstance(data, str) else data)
    os.replace(part, path)
