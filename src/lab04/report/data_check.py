"""Everything that can be wrong with `data/`: what `make check-data` reports.

Three questions: is each result file there and of the right shape (`results.py`), has the code that made
it changed since (`provenance.py`), and are the exported weights those that their manifests describe?
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab04.measured import MODELS
from lab04.provenance import ROOT, Stale, check, file_hash
from lab04.report.results import PROVENANCE, SCHEMA, DataError, load
from lab04.report.shapes import anything, count, faults, text

WEIGHT_LIMIT = 600_000  # bytes for one model: a page that uses the weights has to fetch them
ITEM_BYTES = 2  # of a half-precision number
MANIFEST: dict[str, Any] = {
    "provenance": PROVENANCE,
    "config": anything,
    "dtype": lambda value: None if value == "float16" else "must be 'float16'",
    "tensors": [{"name": text, "shape": [count], "offset": count, "length": count}],
    "sha256": text,
    "bytes": count,
    "file": text,
}


def problems(data_dir: Path, root: Path = ROOT) -> list[Stale]:
    """Every problem of the data folder, by file; an empty list when all is well."""
    found = []
    for name in SCHEMA:
        try:
            load(data_dir, name)
        except DataError as error:
            found.append(Stale(f"{data_dir.name}/{error.file.name}", error.reason))
    for model in MODELS:
        file = f"weights/lab04_{model}.json"
        found += [Stale(f"{data_dir.name}/{file}", reason) for reason in _weights(data_dir / file)]
    # A file without readable provenance is already reported above.
    seen = {stale.file for stale in found}
    return found + [stale for stale in check(data_dir, root) if stale.file not in seen]


def _weights(path: Path) -> Iterator[str]:
    """What is wrong with one model's exported weights."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        yield "the manifest is missing, which describes the weights exported for the browser"
        return
    except ValueError as error:
        yield f"it is not valid JSON ({error})"
        return
    wrong = list(faults(manifest, MANIFEST))
    yield from wrong
    if not wrong:
        yield from _binary(path.parent / manifest["file"], manifest)


def _binary(path: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Compare the file of numbers with its manifest."""
    if not path.is_file():
        yield f"{path.name}, which holds the numbers, is missing"
        return
    size = path.stat().st_size
    if size != manifest["bytes"]:
        yield f"{path.name} has {size:,} bytes, and the manifest says {manifest['bytes']:,}"
    elif file_hash(path) != manifest["sha256"]:
        yield f"{path.name} has changed: its sha256 is not the one in the manifest"
    if size > WEIGHT_LIMIT:
        yield f"{path.name} has {size:,} bytes, and the limit is {WEIGHT_LIMIT:,}"
    yield from _layout(manifest)


def _layout(manifest: dict[str, Any]) -> Iterator[str]:
    """Tensors must follow each other in the file as they are listed, without gap or overlap."""
    end = 0
    for tensor in manifest["tensors"]:
        place, items = (tensor["offset"], tensor["length"]), math.prod(tensor["shape"])
        if place != (end, items):
            wrong = f"the tensor {tensor['name']} of shape {tensor['shape']} has offset and length {place}"
            yield f"{wrong}, and they must be {(end, items)}"
        end += items
    if end * ITEM_BYTES != manifest["bytes"]:
        yield f"the tensors make {end * ITEM_BYTES:,} bytes, and the manifest says {manifest['bytes']:,}"
