"""What the lab measures: exact match, dates by position, the alignment hit rate.

Every function is pure and works on lists of strings or weights. Leaves out: running the models
over test sources and writing files (`measure.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lab04.dates import TARGET_SEPARATOR
from lab04.model import Seq2Seq, forward_attention
from lab04.task import Example, make_batch


def exact_match(preds: Sequence[str], golds: Sequence[str]) -> float:
    """Return the share of outputs that equal their target as whole strings.

    Raises ValueError when there is none or the numbers differ.
    """
    _check_pairs(preds, golds)
    return sum(p == g for p, g in zip(preds, golds, strict=True)) / len(golds)


def date_accuracy(preds: Sequence[str], golds: Sequence[str]) -> list[float]:
    """Return, for each date position of the targets, the share of outputs with the right date there.

    All targets must hold the same number of dates; an output with fewer counts as wrong for the rest.
    """
    _check_pairs(preds, golds)
    rows = [gold.split(TARGET_SEPARATOR) for gold in golds]
    if len({len(row) for row in rows}) != 1:
        raise ValueError("the targets hold different numbers of dates; measure one K at a time.")
    parts = [pred.split(TARGET_SEPARATOR) for pred in preds]
    return [
        sum(part[i : i + 1] == row[i : i + 1] for part, row in zip(parts, rows, strict=True)) / len(rows)
        for i in range(len(rows[0]))
    ]


def _check_pairs(preds: Sequence[str], golds: Sequence[str]) -> None:
    if isinstance(preds, str) or isinstance(golds, str):
        raise ValueError("pass two lists of strings, not a single string.")
    if not golds or len(preds) != len(golds):
        raise ValueError(
            f"{len(preds)} outputs for {len(golds)} targets; pass one output for each, at least one."
        )


def digit_rows(example: Example) -> list[tuple[int, tuple[int, int]]]:
    """Return (target position, span of its date in the source) for each digit of the target."""
    rows, which = [], 0
    for t, token in enumerate(example.target):
        if token == TARGET_SEPARATOR:
            which += 1
        elif token.isdigit():
            rows.append((t, example.spans[which]))
    return rows


def alignment_hit_rate(alphas: Sequence[Tensor], examples: Sequence[Example], tol: int) -> float:
    """Return how often a target digit reads most from the span of its own date, as a share of all digits.

    alphas: for each example the weights [T, S] or more rows and columns, T counted along the target.
    A position up to `tol` after the span's end counts as inside; hyphens, separators and `<eos>` are
    not digits and do not count. Of equal weights the first is taken as the largest. Raises ValueError
    when the numbers of matrices and examples differ, there is none, `tol` is negative, or a matrix
    has too few rows.
    """
    if not examples or len(alphas) != len(examples):
        raise ValueError(
            f"{len(alphas)} matrices for {len(examples)} examples; pass one for each, at least one."
        )
    if tol < 0:
        raise ValueError(f"tol is {tol}; it counts positions after the date and cannot be negative.")
    hits = digits = 0
    for alpha, example in zip(alphas, examples, strict=True):
        if alpha.shape[0] < len(example.target):
            raise ValueError(
                f"{alpha.shape[0]} rows of weights for {example.target!r}; "
                f"it needs at least {len(example.target)}."
            )
        reads = alpha.argmax(dim=-1).tolist()
        for t, (start, end) in digit_rows(example):
            hits += start <= reads[t] < end + tol
            digits += 1
    return hits / digits


def uniform_hit_rate(examples: Sequence[Example], tol: int) -> float:
    """Return the expected hit rate of an arg-max drawn uniformly over the source positions."""
    shares = []
    for example in examples:
        length = len(example.source)
        shares += [(min(end + tol, length) - start) / length for _, (start, end) in digit_rows(example)]
    return sum(shares) / len(shares)


@torch.no_grad()
def teacher_forced_alphas(model: Seq2Seq, examples: Sequence[Example]) -> list[Tensor]:
    """Return for each example the weights [T, S] with the correct target fed in; T counts `<eos>`."""
    batch = make_batch(list(examples))
    _, alpha = forward_attention(model, batch.src, batch.src_len, batch.tgt_in)
    return [a[: len(e.target) + 1, : len(e.source)] for a, e in zip(alpha, examples, strict=True)]
