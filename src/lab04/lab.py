"""The whole lab: train every model with every seed, measure, write `data/`.

Runs go side by side, one thread each: on two cores that is faster than one run of two threads. Each
has a checkpoint under `build/lab/`; an interrupted lab goes on from there. Nothing in `data/` is
touched before all measures are done. Leaves out: what is measured and written (`record.py`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import Queue, RLock, active_children
from pathlib import Path
from typing import Any, TypeVar

import torch
from tqdm import tqdm

from lab04.model import MODELS, Config
from lab04.provenance import ROOT
from lab04.record import SEEDS, Records, measure_one, write_data, write_weights
from lab04.task import KS
from lab04.training import Budget, Run, load, open_run, train

T = TypeVar("T")
# Without these, glibc hands the large arrays of each step back to the system and asks for them anew.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "2000000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}


def checkpoint_path(folder: Path, model: str, seed: int) -> Path:
    """Return where a run's checkpoint stands."""
    return folder / f"{model}-{seed}.pt"


def restart_with_tuned_malloc() -> None:
    """Start this process anew with the allocator's thresholds raised; it reads them only at its start."""
    if sys.platform == "linux" and not MALLOC.keys() <= os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | MALLOC)


class _Worker:
    """What a process of the pool knows of itself: its line of the screen, and whether it was interrupted."""

    slot = 0
    busy = False
    stopped = False


def _start_worker(lock: Any, slots: Any) -> None:
    """Prepare a process of the pool: one thread, a line of its own, one interrupt."""
    torch.set_num_threads(1)
    tqdm.set_lock(lock)
    _Worker.slot = slots.get()
    signal.signal(signal.SIGINT, _interrupt)


def _interrupt(signum: int, frame: Any) -> None:
    """Stop what runs. A second interrupt must not cut short the checkpoint that the first one asks for."""
    if _Worker.busy and not _Worker.stopped:
        _Worker.stopped = True
        raise KeyboardInterrupt
    _Worker.stopped = True


def _in_worker(work: Callable[..., T], *args: Any) -> T:
    """Do a piece of work in a process of the pool, or none of it once the process was interrupted."""
    if _Worker.stopped:
        raise KeyboardInterrupt
    _Worker.busy = True
    try:
        return work(*args)
    finally:
        _Worker.busy = False


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Return a pool of so many processes, all of which stop when this process is interrupted."""
    slots: Any = Queue()
    for slot in range(jobs):
        slots.put(slot)
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(RLock(), slots)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():  # the terminal tells them too; a signal to this process does not
                if worker.pid is not None:
                    os.kill(worker.pid, signal.SIGINT)
            raise


def train_one(folder: Path, model: str, seed: int, budget: Budget, earlier: str) -> str:
    """Train one run to its end with a progress bar, and return its name."""
    path = checkpoint_path(folder, model, seed)
    run = open_run(Config(model), budget, seed, path, earlier)
    name = f"{model}, seed {seed}"
    quiet = not sys.stderr.isatty()
    with tqdm(
        total=budget.steps, initial=run.step, desc=f"{name:<16}", position=_Worker.slot, leave=False,
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
    with _pool(jobs) as pool:
        futures = [pool.submit(_in_worker, train_one, folder, m, s, budget, earlier) for m, s in order]
        for future in as_completed(futures):
            tqdm.write(f"trained: {future.result()}", file=sys.stderr)


def measure_checkpoint(folder: Path, model: str, seed: int) -> dict[str, Any]:
    """Return every measure of the run of a checkpoint."""
    return measure_one(load(checkpoint_path(folder, model, seed))[0])


def measure_all(folder: Path, jobs: int) -> Records:
    """Measure every run and return the records by model and seed."""
    records: Records = {m: {} for m in MODELS}
    with _pool(jobs) as pool:
        futures = {
            pool.submit(_in_worker, measure_checkpoint, folder, m, s): (m, s) for s in SEEDS for m in MODELS
        }
        for future in tqdm(as_completed(futures), total=len(futures), desc="measuring", unit="run"):
            model, seed = futures[future]
            records[model][str(seed)] = future.result()
    return records


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
    write_data(measure_all(folder, jobs), data, budget)
    for model in MODELS:
        write_weights(load(checkpoint_path(folder, model, SEEDS[0]))[0], data)
    print(report(data))
    print(f"Wrote {data.relative_to(ROOT) if data.is_relative_to(ROOT) else data}/. Next: make figures")
