"""Read the lab's result files, and refuse one that is missing or not what it should be.

`load` is the one door through which figures, alt texts and variables see `data/`. `SCHEMA` says what each
file must hold, in the language of `shapes.py`; the functions after it add the rules that join two fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lab04.measured import ATTENTION, BEAMS, KS, MODELS, TOLERANCES
from lab04.report.shapes import Each, anything, count, faults, keyed, number, share, text, truth


class DataError(Exception):
    """A data file cannot be used; the text names the file, the rule and the next command."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file.parent.name}/{file.name}: {reason}. Run `make lab` to make it again.")
        self.file, self.reason = file, reason


PROVENANCE = {
    "command": text,
    "config": anything,
    "seeds": [count],
    "versions": {"python": text, "torch": anything, "numpy": anything},
    "code": {"files": [text], "sha256": text},
    "date": text,
}
_RATES = keyed(("overall", *KS), share)
_ROW_MAX = {
    "mean": share,
    "share_over_99": share,
    "quantiles": keyed(("5", "25", "50", "75", "95"), share),
}
_RUN = {
    "untrained_loss": number,
    "final_loss": number,
    "seconds": number,
    "loss": {"step": [count], "value": [number]},
}
_BUCKETS = {
    "exact_match": keyed(KS, share),
    "date_accuracy": keyed(KS, [share]),
    "sample": keyed(KS, {"source": text, "target": text, "output": text}),
}
_ALIGNED = {"hit_rate": keyed(TOLERANCES, _RATES), "row_max": keyed(KS, _ROW_MAX)}
_MAP = {"output": text, "tokens": [text], "correct": truth, "alpha": [[share]]}
_SETTINGS = keyed(("steps", "d_h", "d_a", "batch"), count)

SCHEMA: dict[str, dict[str, Any]] = {
    "training": {
        "config": _SETTINGS,
        "vocab": count,
        "ln_vocab": number,
        "models": keyed(MODELS, {"parameters": count, "processor_ms_per_step": number, "seeds": Each(_RUN)}),
    },
    "exact_match": {"sources_per_k": count, "models": keyed(MODELS, {"seeds": Each(_BUCKETS)})},
    "alignment": {
        "uniform": keyed(TOLERANCES, _RATES),
        "models": keyed(ATTENTION, {"seeds": Each(_ALIGNED)}),
    },
    "attention_example": {
        "seed": count,
        "examples": [
            {"id": text, "source": text, "gold": text, "k": count, "models": keyed(ATTENTION, _MAP)}
        ],
    },
    "beam": {
        "sources": count,
        "models": keyed(
            MODELS, {"seeds": Each(keyed(BEAMS, {"exact_match": share, "mean_log_prob": number}))}
        ),
    },
}


def load(data_dir: Path, name: str) -> dict[str, Any]:
    """The contents of `lab04_NAME.json`, checked against its schema. Raises DataError."""
    file = Path(data_dir) / f"lab04_{name}.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(file, "the file is missing, and the figures are drawn from it") from None
    except ValueError as error:
        raise DataError(file, f"it is not valid JSON ({error})") from None
    for reason in faults(data, {"provenance": PROVENANCE, **SCHEMA[name]}):
        raise DataError(file, reason)
    for reason in _RULES[name](data):
        raise DataError(file, reason)
    return data


def load_all(data_dir: Path) -> dict[str, dict[str, Any]]:
    """All five result files, by the middle of their names."""
    return {name: load(data_dir, name) for name in SCHEMA}


def _same_seeds(data: dict[str, Any]) -> Iterator[str]:
    """Every model must have been run with the same seeds, numbered."""
    runs = {model: sorted(entry["seeds"]) for model, entry in data["models"].items()}
    for model, seeds in runs.items():
        if not all(seed.isdigit() for seed in seeds):
            yield f"models.{model}.seeds has the keys {seeds}, and they must be numbers"
        if seeds != next(iter(runs.values())):
            yield f"models.{model} has the seeds {seeds}, and all models must have the same seeds ({runs})"


def _training(data: dict[str, Any]) -> Iterator[str]:
    yield from _same_seeds(data)
    for model, seed, run in each_run(data):
        steps, values = run["loss"]["step"], run["loss"]["value"]
        if len(steps) != len(values) or steps != sorted(set(steps)):
            yield f"models.{model}.seeds.{seed}.loss must have one value per step, and the steps must rise"


def _exact_match(data: dict[str, Any]) -> Iterator[str]:
    yield from _same_seeds(data)
    for model, seed, run in each_run(data):
        for k in KS:
            if len(run["date_accuracy"][k]) != int(k):
                yield f"models.{model}.seeds.{seed}.date_accuracy.{k} must have {k} numbers, one per date"


def _attention_example(data: dict[str, Any]) -> Iterator[str]:
    for i, example in enumerate(data["examples"]):
        for model in ATTENTION:
            where, entry = f"examples[{i}].models.{model}", example["models"][model]
            if len(entry["alpha"]) != len(entry["tokens"]):
                yield f"{where}.alpha must have one row per token ({len(entry['tokens'])})"
            if any(len(row) != len(example["source"]) for row in entry["alpha"]):
                yield f"{where}.alpha must have one column per source character ({len(example['source'])})"
            if any(abs(sum(row) - 1) > 1e-3 for row in entry["alpha"]):
                yield f"{where}.alpha has a row that does not sum to 1"
    if [example["id"] for example in data["examples"]][:1] != ["example"] or len(data["examples"]) < 2:
        yield "examples must start with the one called 'example', and have test sources after it"


_RULES: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "training": _training,
    "exact_match": _exact_match,
    "alignment": _same_seeds,
    "attention_example": _attention_example,
    "beam": _same_seeds,
}


def seeds_of(data: dict[str, Any]) -> list[str]:
    """The seeds of a result file, in numerical order."""
    return sorted(next(iter(data["models"].values()))["seeds"], key=int)


def each_run(data: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every (model, seed, run) of a result file, models in their usual order."""
    for model in MODELS:
        if model in data["models"]:
            for seed in sorted(data["models"][model]["seeds"], key=int):
                yield model, seed, data["models"][model]["seeds"][seed]
