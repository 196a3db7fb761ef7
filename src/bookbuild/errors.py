"""The errors that end a build: each one names a file, a line and a reason."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class BookError(Exception):
    """One fault in a source file. `str(error)` is "chapters/x.qmd:12: reason"."""

    def __init__(self, file: Path | str, line: int | None, reason: str) -> None:
        self.file = str(file)
        self.line = line
        self.reason = reason
        super().__init__(f"{self.file}:{line}: {reason}" if line else f"{self.file}: {reason}")


class BookErrors(Exception):
    """Several faults found in one go, in the order of the sources."""

    def __init__(self, errors: Iterable[BookError]) -> None:
        self.errors = list(errors)
        super().__init__("\n".join(str(error) for error in self.errors))
