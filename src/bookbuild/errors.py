"""The errors that end a build: each fault names a file, a line and a reason."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class BookErrors(Exception):
    """Faults found in one go, in the order of the sources; `str` gives each its own line."""

    def __init__(self, errors: Iterable[BookError]) -> None:
        super().__init__()
        self.errors = list(errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


class BookError(BookErrors):
    """One fault in a source file. `str(error)` is "chapters/x.qmd:12: reason"."""

    def __init__(self, file: Path | str, line: int | None, reason: str) -> None:
        super().__init__([self])
        self.file = str(file)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.reason}"
