"""Puts the measures together: what `data/` holds for one run, and for all of them.

Its code is part of each data file's hash. Leaves out: the measures themselves (`measure.py`), the order of
the runs (`lab.py`) and the encoding of a file (`provenance.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab04 import measure
from lab04.export import export_weights
from lab04.measured import ATTENTION
from lab04.model import MODELS, Config
from lab04.provenance import provenance, write_json
from lab04.task import TARGET_TOKENS
from lab04.training import HERE, TRAINING_CODE, Budget, Run

COMMAND = "make lab"
SEEDS = (0, 1, 2)
MEASURE_FILES = ("decoding.py", "evaluation.py", "measure.py", "measured.py", "record.py")
MEASURE_CODE = [*TRAINING_CODE, *(HERE / name for name in MEASURE_FILES)]
EXPORT_CODE = [*TRAINING_CODE, HERE / "export.py", HERE / "record.py"]

Records = dict[str, dict[str, Any]]  # model → seed → what `measure_one` returns


def measure_one(run: Run) -> dict[str, Any]:
    """Return every measure of one trained run; matrices for the first seed alone."""
    record = {
        "parameters": sum(p.numel() for p in run.model.parameters()),
        "training": measure.training_record(run),
        "exact_match": measure.exact_match_record(run.model),
        "beam": measure.beam_record(run.model),
    }
    if run.config.score in ATTENTION:
        record["alignment"] = measure.alignment_record(run.model)
        if run.seed == SEEDS[0]:
            record["maps"] = {i: measure.map_record(run.model, e) for i, e in measure.map_examples()}
    return record


def settings(budget: Budget) -> dict[str, Any]:
    """Return what all runs have alike: sizes, budget, test sources."""
    sizes = {k: v for k, v in Config("plain").as_dict().items() if k != "score"}
    return {**sizes, **vars(budget), "sources_per_k": measure.SOURCES_PER_K}


def write_data(records: Records, data: Path, budget: Budget) -> None:
    """Write the five result files."""
    config = settings(budget)
    made = provenance(COMMAND, config, SEEDS, MEASURE_CODE)

    def by_model(part: str, models: Iterable[str] = MODELS) -> dict[str, Any]:
        return {m: {"seeds": {s: records[m][s][part] for s in sorted(records[m])}} for m in models}

    training = by_model("training")
    step_ms = measure.step_times()
    for m in MODELS:
        training[m] |= {"parameters": records[m]["0"]["parameters"], "processor_ms_per_step": step_ms[m]}
    vocab = len(TARGET_TOKENS)
    contents: dict[str, dict[str, Any]] = {
        "training": {"config": config, "vocab": vocab, "ln_vocab": math.log(vocab), "models": training},
        "exact_match": {"sources_per_k": measure.SOURCES_PER_K, "models": by_model("exact_match")},
        "alignment": {"uniform": measure.uniform_record(), "models": by_model("alignment", ATTENTION)},
        "beam": {"sources": measure.BEAM_SOURCES, "models": by_model("beam")},
        "attention_example": {"seed": SEEDS[0], "examples": _examples(records)},
    }
    for name, content in contents.items():
        write_json(data / f"lab04_{name}.json", {"provenance": made, **content})


def _examples(records: Records) -> list[dict[str, Any]]:
    """The sources whose matrices are recorded, with the matrices of the first seed."""
    return [
        {
            "id": i,
            "source": e.source,
            "gold": e.target,
            "k": len(e.spans),
            "models": {m: records[m][str(SEEDS[0])]["maps"][i] for m in ATTENTION},
        }
        for i, e in measure.map_examples()
    ]


def write_weights(run: Run, data: Path) -> None:
    """Write one run's weights for the browser, and the manifest that describes them."""
    name = f"lab04_{run.config.score}"
    manifest = export_weights(run.model, data / "weights" / f"{name}.bin")
    made = provenance(COMMAND, settings(run.budget), [run.seed], EXPORT_CODE)
    content = {"provenance": made, "config": run.config.as_dict(), **manifest}
    write_json(data / "weights" / f"{name}.json", content)
