"""Runs one of tools/*.mjs in Node: JSON goes in, JSON comes out."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .cache import files_digest

TOOLS = Path(__file__).parent / "tools"
PACKAGES = Path(__file__).parents[2] / "node_modules"


class NodeToolError(Exception):
    """Node is missing or the tool itself broke: a fault of the set-up, not of a source file."""


def tool_digest(tool: str, *packages: str) -> str:
    """Hash the tool's own text and the versions of the npm packages that it stands on."""
    manifests = [PACKAGES / package / "package.json" for package in packages]
    return files_digest([TOOLS / tool, *manifests])


def run_tool(tool: str, request: Any) -> Any:
    """Run `tools/<tool>` once on `request` and return its answer."""
    node = shutil.which("node")
    if node is None:
        raise NodeToolError("node is not on the PATH. Install Node 20 or later, then run `make site`.")
    if not PACKAGES.is_dir():
        raise NodeToolError(f"{PACKAGES} is missing: run `make site`, which installs it.")
    done = subprocess.run(
        [node, str(TOOLS / tool)],
        input=json.dumps(request),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise NodeToolError(f"tools/{tool} failed:\n{done.stderr.strip()}")
    return json.loads(done.stdout)
