"""Result files made by hand, for tests: the right shapes, with numbers that are easy to look for."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

from lab04.measured import ATTENTION, BEAMS, KS, MODELS
from lab04.provenance import write_json

SEEDS = ("0", "1", "2")
PROVENANCE: dict[str, Any] = {
    "command": "made by hand",
    "config": {},
    "seeds": [0, 1, 2],
    "versions": {"python": "3.11", "torch": None, "numpy": None},
    "code": {"files": ["src/lab04/formats.json"], "sha256": "0" * 64},
    "date": "2026-01-01",
}
EXACT: dict[str, dict[str, tuple[float, ...]]] = {
    "plain": {"1": (0.052, 0.962, 0.996), "2": (0, 0, 0.002), "3": (0, 0, 0), "4": (0, 0, 0)},
    "dot": {"1": (1, 1, 1), "2": (1, 1, 1), "3": (0.998, 1, 1), "4": (1, 1, 1)},
    "additive": {"1": (1, 1, 1), "2": (1, 0.996, 1), "3": (0.994, 1, 1), "4": (0.992, 1, 1)},
}


def samples() -> dict[str, dict[str, Any]]:
    """All five files' contents, new objects every time."""
    return {
        "training": _training(),
        "exact_match": {
            "sources_per_k": 500,
            "models": {m: {"seeds": {s: _buckets(m, i) for i, s in enumerate(SEEDS)}} for m in MODELS},
        },
        "alignment": _alignment(),
        "attention_example": _attention_example(),
        "beam": {
            "sources": 200,
            "models": {
                m: {
                    "seeds": {
                        s: {b: {"exact_match": 1.0, "mean_log_prob": -0.0007} for b in BEAMS} for s in SEEDS
                    }
                }
                for m in MODELS
            },
        },
    }


def write_samples(
    folder: Path,
    results: dict[str, dict[str, Any]] | None = None,
    block: dict[str, Any] = PROVENANCE,
) -> Path:
    """Write the files into a folder and return it."""
    for name, data in (results or samples()).items():
        write_json(folder / f"lab04_{name}.json", {"provenance": block, **data})
    return folder


def _training() -> dict[str, Any]:
    steps = [1, *range(25, 4001, 25)]
    floor = {"plain": 0.5, "dot": 0.0001, "additive": 0.0004}

    def run(model: str, seed: int) -> dict[str, Any]:
        rng = random.Random(f"{model} {seed}")
        values = [
            max(floor[model], 2.71 * math.exp(-step / (150 + 50 * seed))) * (1 + 0.2 * rng.random())
            for step in steps
        ]
        return {
            "untrained_loss": 2.7 + 0.01 * seed,
            "final_loss": floor[model] * (1 + seed),
            "seconds": 300.0 + 30 * seed,
            "loss": {"step": steps, "value": values},
        }

    parameters = {"plain": 163_407, "dot": 196_303, "additive": 212_751}
    return {
        "config": {"steps": 4000, "d_h": 128, "d_a": 64, "batch": 64, "lr": 0.003},
        "vocab": 15,
        "ln_vocab": math.log(15),
        "models": {
            m: {
                "parameters": parameters[m],
                "processor_ms_per_step": 82.5,
                "seeds": {s: run(m, int(s)) for s in SEEDS},
            }
            for m in MODELS
        },
    }


def _buckets(model: str, seed: int) -> dict[str, Any]:
    first = (0.1, 0.93, 0.96)[seed] if model == "plain" else 1.0
    later = (0.0, 0.004, 0.0004)[seed] if model == "plain" else 0.999
    return {
        "exact_match": {k: EXACT[model][k][seed] for k in KS},
        "date_accuracy": {k: [first] + [later] * (int(k) - 1) for k in KS},
        "sample": {k: {"source": "3 March 2021", "target": "2021-03-03", "output": "2021-03-03"} for k in KS},
    }


def _alignment() -> dict[str, Any]:
    uniform = {"overall": 0.4, "1": 0.93, "2": 0.44, "3": 0.29, "4": 0.22}
    rates = {"overall": 0.9996, "1": 1.0, "2": 0.9999, "3": 0.9991, "4": 0.9995}
    row_max = {
        "mean": 0.97,
        "share_over_99": 0.6,
        "quantiles": {"5": 0.7, "25": 0.9, "50": 0.995, "75": 0.999, "95": 1.0},
    }

    def run(model: str, seed: int) -> dict[str, Any]:
        lower = 0.02 if model == "additive" else 0.001 * seed
        table = {
            tol: {k: max(0.0, v - lower * (1 - int(tol))) for k, v in rates.items()} for tol in ("0", "1")
        }
        return {"hit_rate": table, "row_max": dict.fromkeys(KS, row_max)}

    return {
        "uniform": {"0": uniform, "1": {k: min(1.0, v + 0.03) for k, v in uniform.items()}},
        "models": {m: {"seeds": {s: run(m, int(s)) for s in SEEDS}} for m in ATTENTION},
    }


def attention_rows(peaks: list[tuple[int, float]], columns: int) -> list[list[float]]:
    """One row per (position from 0, weight): the rest of the weight lies evenly on the other columns."""
    return [[w if i == p else (1 - w) / (columns - 1) for i in range(columns)] for p, w in peaks]


def _attention_example() -> dict[str, Any]:
    # 3 March 2021: 3 at 1, March at 3 to 7, the year at 9 to 12
    peaks = [(9, 0.999), (10, 0.999), (10, 0.998), (11, 0.999), (7, 0.6), (7, 0.999), (4, 0.84)]
    peaks += [(1, 0.45), (1, 0.9999), (0, 0.997), (11, 0.995)]
    tests = [
        ("test-1", "Wednesday, 14 August 2047", "2047-08-14"),
        ("test-2", "1931/7/22; May 21st, 1906", "1931-07-22;1906-05-21"),
        ("test-3", "2 Jan 1999; September 30th, 2008; 2011/01/01", "1999-01-02;2008-09-30;2011-01-01"),
    ]
    return {
        "seed": 0,
        "examples": [_entry("example", "3 March 2021", "2021-03-03", peaks)]
        + [
            _entry(i, s, g, [((2 * n) % len(s), 0.3 + 0.069 * (n % 11)) for n in range(len(g) + 1)])
            for i, s, g in tests
        ],
    }


def _entry(name: str, source: str, gold: str, peaks: list[tuple[int, float]]) -> dict[str, Any]:
    entry = {
        "output": gold,
        "tokens": [*gold, "<eos>"],
        "correct": True,
        "alpha": attention_rows(peaks, len(source)),
    }
    return {
        "id": name,
        "source": source,
        "gold": gold,
        "k": gold.count(";") + 1,
        "models": dict.fromkeys(ATTENTION, entry),
    }
