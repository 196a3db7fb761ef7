"""The whole lab: train every model with every seed, measure, write `data/`.

Runs go side by side, one thread each: on two cores that is faster than one run of two threads. Each
has a checkpoint under `build/lab/`; an interrupted lab goes on from there. Nothing in `data/` is
touched before all measures are done. Leaves out: what the measures are (`measure.py`).
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import RLock
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from lab04 import measure
from lab04.export import export_weights
from lab04.model import MODELS, Config
from lab04.provenance import ROOT, provenance, write_json
from lab04.task import KS, TARGET_TOKENS
from lab04.training import HERE, TRAINING_CODE, Budget, Run, load, open_run, train

COMMAND = "make lab"
SEEDS = (0, 1, 2)
MEASURE_CODE = [*TRAINING_CODE, *(HERE / f for f in ("decoding.py", "evaluation.py", "measure.py"))]
EXPORT_CODE = [*TRAINING_CODE, HERE / "export.py"]
# Without these, glibc hands the large arrays of each step back to the system and asks for them anew.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "2000000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}


def checkpoint_path(folder: Path, model: str, seed: int) -> Path:
    """Return where a run's checkpoint stands."""
    return folder / f"{model}-{seed}.pt"


def restart_with_tuned_malloc() -> None:
    """Start this process anew with the allocator's thresholds raised; it reads them only at its start."""
    if sys.platform == "linux" and not MALLOC.keys() <= os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | MALLOC)


def _start_worker(lock: Any, slots: Any) -> None:
    """Prepare a process of the pool: one thread, and a line of the screen of its own."""
    global _SLOT
    torch.set_num_threads(1)
    tqdm.set_lock(lock)
    _SLOT = slots.get()


_SLOT = 0


def train_one(folder: Path, model: str, seed: int, budget: Budget, earlier: str) -> str:
    """Train one run to its end with a progress bar, and return its name."""
    path = checkpoint_path(folder, model, seed)
    run = open_run(Config(model), budget, seed, path, earlier)
    name = f"{model}, seed {seed}"
    quiet = not sys.stderr.isatty()
    with tqdm(
        total=budget.steps, initial=run.step, desc=f"{name:<16}", position=_SLOT, leave=False,
        mininterval=30 if quiet else 0.5, unit="step", dynamic_ncols=True,
    ) as bar:  # fmt: skip

        def report(run: Run) -> None:
            if run.step % 10 == 0:
                bar.set_postfix(loss=f"{run.losses[-1]:.4f}", refresh=False)
            bar.update()

        train(run, path, report)
    return name


def train_all(
    folder: Path, models: Iterable[str], seeds: Iterable[int], budget: Budget, jobs: int, earlier: str
) -> None:
    """Train the runs, `jobs` at a time, the slowest model of each seed first."""
    order = [(m, s) for s in seeds for m in ("additive", "dot", "plain") if m in models]
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(RLock(), _slots(jobs))) as pool:
        futures = [pool.submit(train_one, folder, m, s, budget, earlier) for m, s in order]
        try:
            for future in as_completed(futures):
                tqdm.write(f"trained: {future.result()}", file=sys.stderr)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _slots(jobs: int) -> Any:
    """Return a queue with one line number of the screen for each process."""
    from multiprocessing import Queue

    queue: Any = Queue()
    for i in range(jobs):
        queue.put(i)
    return queue


def measure_one(folder: Path, model: str, seed: int) -> dict[str, Any]:
    """Return every measure of one trained run; matrices for the first seed alone."""
    run, _ = load(checkpoint_path(folder, model, seed))
    record = {
        "parameters": sum(p.numel() for p in run.model.parameters()),
        "training": measure.training_record(run),
        "exact_match": measure.exact_match_record(run.model),
        "beam": measure.beam_record(run.model),
    }
    if model != "plain":
        record["alignment"] = measure.alignment_record(run.model)
        if seed == SEEDS[0]:
            record["maps"] = {i: measure.map_record(run.model, e) for i, e in measure.map_examples()}
    return record


def measure_all(folder: Path, jobs: int) -> dict[str, dict[str, Any]]:
    """Measure every run and return the records by model and seed."""
    records: dict[str, dict[str, Any]] = {m: {} for m in MODELS}
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(RLock(), _slots(jobs))) as pool:
        futures = {pool.submit(measure_one, folder, m, s): (m, s) for s in SEEDS for m in MODELS}
        for future in tqdm(as_completed(futures), total=len(futures), desc="measuring", unit="run"):
            model, seed = futures[future]
            records[model][str(seed)] = future.result()
    return records


def write_data(records: dict[str, dict[str, Any]], folder: Path, data: Path, budget: Budget) -> None:
    """Write the data files and the weights of the first seed."""
    config = {
        **{k: v for k, v in Config("plain").as_dict().items() if k != "score"},
        **vars(budget),
        "sources_per_k": measure.SOURCES_PER_K,
    }
    made = provenance(COMMAND, config, SEEDS, MEASURE_CODE)

    def by_model(part: str, models: Iterable[str] = MODELS) -> dict[str, Any]:
        return {m: {"seeds": {s: records[m][s][part] for s in sorted(records[m])}} for m in models}

    training = by_model("training")
    step_ms = measure.step_times()
    for m in MODELS:
        training[m] |= {"parameters": records[m]["0"]["parameters"], "processor_ms_per_step": step_ms[m]}
    vocab = len(TARGET_TOKENS)
    write_json(data / "lab04_training.json", {
        "provenance": made, "config": config, "vocab": vocab, "ln_vocab": math.log(vocab),
        "models": training,
    })  # fmt: skip
    write_json(data / "lab04_exact_match.json", {
        "provenance": made, "sources_per_k": measure.SOURCES_PER_K, "models": by_model("exact_match"),
    })  # fmt: skip
    write_json(data / "lab04_alignment.json", {
        "provenance": made, "uniform": measure.uniform_record(),
        "models": by_model("alignment", measure.ATTENTION_MODELS),
    })  # fmt: skip
    write_json(data / "lab04_beam.json", {
        "provenance": made, "sources": measure.BEAM_SOURCES, "models": by_model("beam"),
    })  # fmt: skip
    write_json(data / "lab04_attention_example.json", {
        "provenance": made, "seed": SEEDS[0],
        "examples": [
            {
                "id": i, "source": e.source, "gold": e.target, "k": len(e.spans),
                "models": {m: records[m]["0"]["maps"][i] for m in measure.ATTENTION_MODELS},
            }
            for i, e in measure.map_examples()
        ],
    })  # fmt: skip
    exported = provenance(COMMAND, config, SEEDS[:1], EXPORT_CODE)
    for m in MODELS:
        run, _ = load(checkpoint_path(folder, m, SEEDS[0]))
        manifest = export_weights(run.model, data / "weights" / f"lab04_{m}.bin")
        write_json(data / "weights" / f"lab04_{m}.json", {
            "provenance": exported, "config": run.config.as_dict(), **manifest,
        })  # fmt: skip


def report(data: Path) -> str:
    """Return a short table of what was measured, for the end of the run."""
    scores = json.loads((data / "lab04_exact_match.json").read_text(encoding="utf-8"))["models"]
    lines = [f"{'exact match':<20}" + "".join(f"   K = {k}" for k in KS)]
    for m in MODELS:
        for seed, record in scores[m]["seeds"].items():
            values = "".join(f"{record['exact_match'][str(k)]:>8.3f}" for k in KS)
            lines.append(f"{m + ', seed ' + seed:<20}{values}")
    return "\n".join(lines)


def run_lab(
    folder: Path = ROOT / "build" / "lab", data: Path = ROOT / "data", jobs: int = 2, earlier: str = "resume"
) -> None:
    """Train what is not trained yet, measure all, write `data/`, and print what came out."""
    budget = Budget()
    train_all(folder, MODELS, SEEDS, budget, jobs, earlier)
    write_data(measure_all(folder, jobs), folder, data, budget)
    print(report(data))
    print(f"Wrote {data.relative_to(ROOT) if data.is_relative_to(ROOT) else data}/. Next: make figures")
