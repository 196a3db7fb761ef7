"""`{python}` cells of a page, run in one Jupyter kernel in the page's folder, as Quarto runs them.

Outputs are kept until the code, a data file that the cells open, or a project module that they import
changes (see probe.py for how these are found). A page found in the cache starts no kernel.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .cache import digest, file_digest, write_atomic
from .errors import BookError
from .outputs import Output, OutputError, read_outputs
from .prepass import Cell

TIMEOUT = 600  # seconds for one cell
REPORT = "__import__('bookbuild.probe').probe.report()"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def run_cells(source: Path, cells: list[Cell], root: Path, cache: Path) -> list[list[Output]]:
    """Return the outputs of each cell; raise BookError where a cell fails or shows what a page cannot hold.

    `source` is the page's file below `root`. A cell with `eval: false` is not run and has no outputs.
    """
    running = [cell for cell in cells if cell.options.get("eval", True) is not False]
    if not running:
        return [[] for _ in cells]
    name = source.resolve().relative_to(root.resolve())
    record_file = cache / "cells" / f"{str(name).replace(os.sep, '-')}.json"
    key = digest(_engine_digest(), *(f"{cell.options.get('output')}\n{cell.code}" for cell in running))
    record = _valid_record(record_file, key, root)
    if record is None:
        outputs, files = _execute(source, name, running, root)
        record = {"key": key, "files": {path: file_digest(root / path) for path in files}}
        record["outputs"] = [[_pack(output) for output in cell] for cell in outputs]
        write_atomic(record_file, json.dumps(record, indent=1))
    results = iter(record["outputs"])
    runs = [cell.options.get("eval", True) is not False for cell in cells]
    return [[_unpack(item) for item in next(results)] if run else [] for run in runs]


def _engine_digest() -> str:
    """Hash what runs the cells: this code, the Python version, and the installed packages' versions."""
    here = Path(__file__).parent
    code = [str(file_digest(here / name)) for name in ("cells.py", "outputs.py", "probe.py")]
    packages = Path(sysconfig.get_path("purelib")).glob("*.dist-info")
    return digest(sys.version, *code, *sorted(path.name for path in packages))


def _valid_record(record_file: Path, key: str, root: Path) -> dict[str, Any] | None:
    if not record_file.exists():
        return None
    record = json.loads(record_file.read_text(encoding="utf-8"))
    unchanged = record["key"] == key and all(
        file_digest(root / path) == known for path, known in record["files"].items()
    )
    return record if unchanged else None


def _execute(source: Path, name: Path, cells: list[Cell], root: Path) -> tuple[list[list[Output]], list[str]]:
    """Run the cells in a new kernel; return their outputs and the project's files that they read."""
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    results = []
    with _kernel(source, root, [cell.code for cell in cells]) as client:
        for index, cell in enumerate(cells):
            node = client.nb.cells[index]
            try:
                client.execute_cell(node, index)
                results.append(read_outputs(node.outputs, cell.options))
            except CellExecutionError as error:
                reason = f"{error.ename}: {error.evalue}"
                raise _failure(name, cells, index, node.outputs, reason) from None
            except CellTimeoutError:
                raise BookError(name, cell.line, f"the cell ran for more than {TIMEOUT} seconds") from None
            except DeadKernelError:
                raise BookError(name, cell.line, "the cell ended its Python process") from None
            except OutputError as error:
                raise BookError(name, cell.line, str(error)) from None
        report = client.nb.cells[-1]
        client.execute_cell(report, len(cells))
        return results, json.loads(report.outputs[0]["text"])


@contextmanager
def _kernel(source: Path, root: Path, code: list[str]) -> Iterator[Any]:
    """Start a kernel of this very Python, apart from the reader's own IPython settings, and end it."""
    from nbclient import NotebookClient
    from nbformat import v4

    notebook = v4.new_notebook(cells=[v4.new_code_cell(text) for text in [*code, REPORT]])
    with tempfile.TemporaryDirectory() as settings:
        client = NotebookClient(
            notebook,
            km=_manager(settings),
            timeout=TIMEOUT,
            shutdown_kernel="immediate",
            extra_arguments=["--IPKernelApp.extra_extensions=bookbuild.probe"],
        )
        environment = _environment(root, settings)
        with client.setup_kernel(cleanup_kc=True, cwd=str(source.resolve().parent), env=environment):
            yield client


def _manager(settings: str) -> Any:
    """Choose the kernel of this interpreter and, where there are such, sockets closed to other users."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    sockets = {"transport": "ipc", "ip": f"{settings}/kernel"} if os.name == "posix" else {}
    specs = KernelSpecManager(kernel_dirs=[])  # no folders to search: what is left is the native kernel
    return AsyncKernelManager(kernel_name="python3", kernel_spec_manager=specs, **sockets)


def _environment(root: Path, settings: str) -> dict[str, str]:
    """Set what makes two runs alike, and let cells import the project's modules from `src/`."""
    engine = Path(__file__).parents[1]
    paths = [str(root.resolve() / "src"), str(engine), os.environ.get("PYTHONPATH", "")]
    fixed = {
        "BOOKBUILD_ROOT": str(root.resolve()),
        "IPYTHONDIR": settings,
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "SOURCE_DATE_EPOCH": "1577836800",
        "TZ": "UTC",
    }
    return {**os.environ, **fixed}


def _failure(name: Path, cells: list[Cell], index: int, outputs: list[Any], reason: str) -> BookError:
    """Point at the innermost line of the traceback that stands in a cell of this page."""
    traceback = "\n".join(line for output in outputs for line in output.get("traceback", []))
    frames = re.findall(r"Cell In\[(\d+)\], line (\d+)", ANSI.sub("", traceback))
    cell, line = cells[index], 1
    if frames:
        cell, line = cells[int(frames[-1][0]) - 1], int(frames[-1][1])
    reason = re.sub(r" \(\d+\.py, line \d+\)$", "", reason.strip().removesuffix(":"))
    return BookError(name, cell.line + line - 1, f"the cell failed: {reason}")


def _pack(output: Output) -> dict[str, str]:
    """Make an output fit for JSON."""
    data = base64.b64encode(output.data).decode() if isinstance(output.data, bytes) else output.data
    return {"kind": output.kind, "data": data}


def _unpack(item: dict[str, str]) -> Output:
    return Output(item["kind"], base64.b64decode(item["data"]) if item["kind"] == "png" else item["data"])
