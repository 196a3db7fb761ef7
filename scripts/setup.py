"""Set up what a command of the Makefile needs; quick when nothing has changed.

usage: python3 scripts/setup.py site|lab|test

`site` makes the virtual environment and the node packages, `lab` adds torch, `test` adds the test
tools and Chromium. Each step leaves a stamp with the hash of what it was made from and is skipped
while that hash is the same. Needs nothing but the Python it is started with.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))  # set-up runs before anything is installed

from bookbench.chromium import find_chromium  # noqa: E402

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LAYERS = {"site": ("site",), "lab": ("site", "lab"), "test": ("site", "lab", "dev")}


class StepFailed(Exception):
    """A set-up step that did not work: which one, what it said, what to do."""


def digest(*parts: str | Path) -> str:
    """Return one hash for the texts and the contents of the files."""
    h = hashlib.sha256()
    for part in parts:
        h.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    return h.hexdigest()


def step(name: str, stamp: Path, wanted: str, work: Callable[[], None]) -> None:
    """Do a step unless its stamp says that it is done, and leave the stamp when it worked."""
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"set-up: {name} ... ", end="", flush=True)
    start = time.monotonic()
    work()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(wanted)
    print(f"done in {time.monotonic() - start:.0f} s", flush=True)


def run(name: str, command: list[str], remedy: str, env: dict[str, str] | None = None) -> None:
    """Run a command quietly; StepFailed with the end of its output when it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | (env or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except FileNotFoundError:
        raise StepFailed(f"{name}: the command {command[0]!r} is not installed. {remedy}") from None
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-15:])
        raise StepFailed(f"{name} failed (status {done.returncode}). {remedy}\nIts last lines:\n{tail}")


def check_versions() -> None:
    """Refuse a Python or a Node that is too old, by name and number."""
    if sys.version_info < (3, 11):  # noqa: UP036 (whatever Python is on the path starts this file)
        raise StepFailed(
            f"this is Python {sys.version.split()[0]}; 3.11 or later is needed. "
            "Try: make PYTHON=python3.11 <command>"
        )
    try:
        answer = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise StepFailed("node is not installed; install Node.js 20 or later.") from None
    if int(answer.strip().lstrip("v").split(".")[0]) < 20:
        raise StepFailed(f"this is Node.js {answer.strip()}; install version 20 or later.")


def make_venv() -> None:
    """Make the virtual environment anew; one that another Python made, or half made, is replaced."""
    run(
        "the virtual environment",
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        "Is the venv module installed?",
    )


def install_python(layer: str) -> None:
    """Install one layer of the locked Python packages."""
    lock = f"requirements/{layer}.txt"
    run(
        f"the Python packages of {lock}",
        [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", lock],
        "Check the connection to the package registry, then run the same command again.",
    )


def install_project() -> None:
    """Put src/ on the environment's path, so that notebooks and cells find the book's packages."""
    (site,) = (VENV / "lib").glob("python*/site-packages")
    (site / "book.pth").write_text(f"{ROOT / 'src'}\n")


def install_node() -> None:
    """Install the locked node packages."""
    run(
        "the node packages",
        ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
        "Check the connection to the package registry, then run the same command again.",
    )


def install_chromium() -> None:
    """Install Chromium from the system's packages where that is possible without a question."""
    remedy = "Install Chromium or Chrome yourself, or set BOOK_CHROMIUM to the path of one."
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise StepFailed(f"Chromium, for the browser tests: not found on the path. {remedy}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run("Chromium (package list)", ["apt-get", "update", "-qq"], remedy, quiet)
    run("Chromium", ["apt-get", "install", "-y", "-qq", "chromium"], remedy, quiet)


def set_up(what: str) -> None:
    """Take every step that `what` needs."""
    check_versions()
    stamps = VENV / ".stamps"
    version = sys.version.split()[0]
    step("virtual environment", stamps / "venv", f"{version} {ROOT}", make_venv)
    for layer in LAYERS[what]:
        lock = ROOT / "requirements" / f"{layer}.txt"
        step(
            f"Python packages ({layer})",
            stamps / layer,
            digest(version, lock),
            partial(install_python, layer),
        )
    install_project()
    step("node packages", ROOT / "node_modules" / ".stamp", digest(ROOT / "package-lock.json"), install_node)
    if what == "test" and not find_chromium():
        step("Chromium", stamps / "chromium", version, install_chromium)


def main() -> int:
    """Set up, or say which step failed and what to do."""
    if len(sys.argv) != 2 or sys.argv[1] not in LAYERS:
        print(f"usage: python3 scripts/setup.py {'|'.join(LAYERS)}", file=sys.stderr)
        return 2
    try:
        set_up(sys.argv[1])
    except StepFailed as failure:
        print(f"\nset-up stopped: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nset-up interrupted; the same command goes on where it stopped.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
