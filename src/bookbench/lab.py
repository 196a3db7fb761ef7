"""Step times of the lab's models, beside the same models without the fast passes.

The two take turns, step by step and on the same batches, so that a busy machine slows both. Time is
the process's own processor time.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from unittest import mock

import torch

from bookbench.report import Figure, at_most
from lab04 import model as lab_model
from lab04.attention import additive_score
from lab04.gru import GRU
from lab04.measure import timed_step
from lab04.model import MODELS, Config
from lab04.training import Budget, new_run

WARM_UP, STEPS = 4, 24


def library_read(
    self: GRU, embedding: torch.nn.Embedding, tokens: torch.Tensor, h_0: torch.Tensor
) -> torch.Tensor:
    """Read tokens as `torch.nn.GRU` does it by itself."""
    return self(embedding(tokens), h_0[None])[0]


def step_times(score: str) -> tuple[float, float]:
    """Return the median processor time of a step in ms: with the fast passes, and without."""
    fast, plain = (new_run(Config(score), Budget(), seed=0) for _ in range(2))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(WARM_UP + STEPS):
        times[0].append(timed_step(fast))
        with (
            mock.patch.object(GRU, "read", library_read),
            mock.patch.object(lab_model, "fast_additive_score", additive_score),
        ):
            times[1].append(timed_step(plain))
    return statistics.median(times[0][WARM_UP:]), statistics.median(times[1][WARM_UP:])


def figures() -> Iterator[Figure]:
    """Measure each model, then what a seed of all three takes on two cores."""
    torch.set_num_threads(1)
    total = 0.0
    for score in MODELS:
        fast, plain = step_times(score)
        total += fast
        yield Figure(f"{score}: a training step", fast, "ms")
        yield Figure(f"{score}: library GRU and plain score, against that", plain / fast, "times")
    yield at_most(
        "all three models of one seed, two at a time", total * Budget().steps / 60000 / 2, "min", 15
    )
