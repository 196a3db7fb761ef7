"""Training with teacher forcing, in steps that can be interrupted and taken up again.

A run is one model and one seed. Its batches depend on the seed alone, so that every model of a
seed sees the same ones. Checkpoints are atomic files; a run taken up from one ends with the same
weights, bit for bit, as a run that was never interrupted. Leaves out: what is measured
(`measure.py`) and the order of the runs (`lab.py`).
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

import torch

from lab04.model import Config, Seq2Seq, forward, seq2seq_loss
from lab04.provenance import code_hash
from lab04.task import held_out_examples, make_batch, training_batch

HERE = Path(__file__).parent
TRAINING_FILES = "additive.py attention.py dates.py formats.json gru.py model.py task.py training.py".split()  # noqa: SIM905
EARLIER = ("resume", "fresh", "adopt")
TRAINING_CODE = [HERE / name for name in TRAINING_FILES]


@dataclass(frozen=True)
class Budget:
    """What every model of a comparison gets alike: steps, batch, optimizer."""

    steps: int = 4000
    batch: int = 64
    lr: float = 3e-3
    clip: float = 1.0


@dataclass
class Run:
    """One model and one seed in training, or at its end."""

    config: Config
    budget: Budget
    seed: int
    model: Seq2Seq
    optimizer: torch.optim.Adam
    rng: random.Random
    step: int = 0
    seconds: float = 0.0
    untrained_loss: float = 0.0
    losses: list[float] = field(default_factory=list)


def new_run(config: Config, budget: Budget, seed: int) -> Run:
    """Return a run before its first step; its weights and batches follow from the seed."""
    torch.manual_seed(seed)
    model = Seq2Seq(config)
    run = Run(
        config, budget, seed, model, torch.optim.Adam(model.parameters(), lr=budget.lr), random.Random(seed)
    )
    run.untrained_loss = held_out_loss(model)
    return run


@torch.no_grad()
def held_out_loss(model: Seq2Seq, per_k: int = 64) -> float:
    """Return the mean loss per target token, in nats, over `per_k` test sources of each K."""
    batches = [make_batch(held_out_examples(k, per_k)) for k in (1, 2, 3, 4)]
    losses = [seq2seq_loss(forward(model, b.src, b.src_len, b.tgt_in), b.tgt_out) for b in batches]
    return float(torch.stack(losses).mean())


def train_step(run: Run) -> float:
    """Take one step of Adam on one batch and return the batch's loss before the step."""
    batch = training_batch(run.rng, run.budget.batch)
    loss = seq2seq_loss(forward(run.model, batch.src, batch.src_len, batch.tgt_in), batch.tgt_out)
    run.optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), run.budget.clip)
    run.optimizer.step()
    run.step += 1
    return loss.item()


def train(
    run: Run, checkpoint: Path, report: Callable[[Run], None] = lambda run: None, every: int = 100
) -> Run:
    """Train to the end of the budget, writing `checkpoint` every so many steps and when interrupted.

    `report` is called after each step. KeyboardInterrupt passes on once the checkpoint is safe.
    """
    try:
        while run.step < run.budget.steps:
            start = time.perf_counter()
            run.losses.append(train_step(run))
            run.seconds += time.perf_counter() - start
            report(run)
            if run.step % every == 0:
                save(run, checkpoint)
    finally:
        # An interrupt can fall between a step and its record: such a step is taken again from the last file.
        if len(run.losses) == run.step:
            save(run, checkpoint)
    return run


def save(run: Run, path: Path) -> None:
    """Write the run as one file, by way of a temporary one, so that a reader never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    torch.save(
        {
            "config": run.config.as_dict(),
            "budget": asdict(run.budget),
            "seed": run.seed,
            "code": code_hash(TRAINING_CODE),
            "torch": str(torch.__version__),
            "model": run.model.state_dict(),
            "optimizer": run.optimizer.state_dict(),
            "rng": run.rng.getstate(),
            "step": run.step,
            "seconds": run.seconds,
            "untrained_loss": run.untrained_loss,
            "losses": run.losses,
        },
        temporary,
    )
    os.replace(temporary, path)


def load(path: Path) -> tuple[Run, str]:
    """Return the run of a checkpoint and the hash of the code that wrote it.

    ValueError when the file cannot be read as a checkpoint.
    """
    try:
        state = torch.load(path, weights_only=True)
        run = new_run(Config(**state["config"]), Budget(**state["budget"]), state["seed"])
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.rng.setstate(state["rng"])
        for name in ("step", "seconds", "untrained_loss", "losses"):
            setattr(run, name, state[name])
    except Exception as error:
        raise ValueError(
            f"{path} is not a readable checkpoint ({error}); move it away to train anew."
        ) from error
    return run, state["code"]


def replays(run: Run, steps: int = 100) -> bool:
    """Tell whether the code as it is takes the run's first steps with the same losses, bit for bit."""
    again, wanted = new_run(run.config, run.budget, run.seed), run.losses[:steps]
    return again.untrained_loss == run.untrained_loss and [train_step(again) for _ in wanted] == wanted


def open_run(config: Config, budget: Budget, seed: int, checkpoint: Path, earlier: str = "resume") -> Run:
    """Take up the run of `checkpoint`, or start one when there is no such file.

    `earlier` says what becomes of an existing file. "resume": it is taken up. "fresh": it is kept under a
    dated name and the run starts anew. "adopt": it is taken up even if other code made it, provided that
    the code as it is replays its first steps; that is for changes which leave the training as it was, a
    new name, say. ValueError when the file belongs to other settings or to other training code.
    """
    if earlier not in EARLIER:
        raise ValueError(f"earlier is {earlier!r}; it must be one of {', '.join(EARLIER)}.")
    if checkpoint.exists() and earlier == "fresh":
        checkpoint.rename(checkpoint.with_suffix(f".{datetime.now():%Y%m%d-%H%M%S}.pt"))
    if not checkpoint.exists():
        return new_run(config, budget, seed)
    run, code = load(checkpoint)
    if (run.config, run.budget, run.seed) != (config, budget, seed):
        raise ValueError(
            f"{checkpoint} was made with {run.config}, {run.budget}, seed {run.seed}, not with "
            f"{config}, {budget}, seed {seed}; run `make lab FRESH=1` to set it aside and train anew."
        )
    if code == code_hash(TRAINING_CODE):
        return run
    if earlier != "adopt":
        raise ValueError(
            f"{checkpoint} was made by other training code; run `make lab FRESH=1` to set it aside and train "
            "anew, or `make lab ADOPT=1` to keep it if its first steps come out the same."
        )
    if not replays(run):
        raise ValueError(
            f"{checkpoint}: the training code as it is does not repeat its first steps; "
            "run `make lab FRESH=1` to set it aside and train anew."
        )
    save(run, checkpoint)
    return run
