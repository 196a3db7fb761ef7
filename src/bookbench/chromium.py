"""Where Chromium is: one answer for set-up, tests and benches. Needs the standard library alone."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, the one named by BOOK_CHROMIUM first; None without any."""
    return os.environ.get("BOOK_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
