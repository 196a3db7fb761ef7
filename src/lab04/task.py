"""The date task: sources with one to four dates, their ISO targets, and token numbers.

Splits the calendar into training and test dates, draws examples, and turns text into tensors.
Leaves out: how a date is written (`dates.py`) and everything with parameters (`model.py`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

import torch
from torch import Tensor

from lab04.dates import FIRST_YEAR, FORMATS, LAST_YEAR, SOURCE_SEPARATOR, SPEC, iso_target, render

TARGET_TOKENS: list[str] = SPEC["target_tokens"]
PAD, BOS, EOS = (TARGET_TOKENS.index(t) for t in ("<pad>", "<bos>", "<eos>"))
SOURCE_CHARACTERS: str = SPEC["source_characters"]
SOURCE_VOCAB = 1 + len(SOURCE_CHARACTERS)  # number 0 is padding
MAX_SOURCE_LENGTH: int = SPEC["max_source_length"]
MAX_DATES: int = SPEC["max_dates"]
KS = (1, 2, 3, 4)  # dates per source, in training and in the test buckets
TEST_SHARE = 0.1
SPLIT_SEED = 4

_SOURCE_ID = {c: i for i, c in enumerate(SOURCE_CHARACTERS, 1)}
_TARGET_ID = {t: i for i, t in enumerate(TARGET_TOKENS)}


@dataclass(frozen=True)
class Example:
    """A source, its target, and where each date stands in the source: half-open spans."""

    source: str
    target: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Batch:
    """Padded tensors: src [B, S], src_len [B], tgt_in and tgt_out [B, T]; T counts `<eos>`."""

    src: Tensor
    src_len: Tensor
    tgt_in: Tensor
    tgt_out: Tensor


@cache
def split_dates() -> tuple[list[date], list[date]]:
    """Return (training dates, test dates): every day of the calendar is in exactly one of the two."""
    first = date(FIRST_YEAR, 1, 1)
    days = [first + timedelta(n) for n in range((date(LAST_YEAR, 12, 31) - first).days + 1)]
    random.Random(SPLIT_SEED).shuffle(days)
    n_test = round(TEST_SHARE * len(days))
    return days[n_test:], days[:n_test]


def draw_example(days: list[date], k: int, rng: random.Random) -> Example:
    """Draw `k` dates from `days`, each in a format of its own, as one example."""
    chosen = [rng.choice(days) for _ in range(k)]
    parts = [render(d, rng.choice(list(FORMATS))) for d in chosen]
    spans, start = [], 0
    for part in parts:
        spans.append((start, start + len(part)))
        start += len(part) + len(SOURCE_SEPARATOR)
    return Example(SOURCE_SEPARATOR.join(parts), iso_target(chosen), tuple(spans))


def held_out_examples(k: int, n: int, seed: int = 2021) -> list[Example]:
    """Return `n` examples of `k` test dates each; the same ones in every run."""
    rng = random.Random(f"test {k} {seed}")
    return [draw_example(split_dates()[1], k, rng) for _ in range(n)]


def training_batch(rng: random.Random, size: int) -> Batch:
    """Draw a batch of training examples; one K for the batch, so that little of it is padding."""
    k = rng.choice(KS)
    return make_batch([draw_example(split_dates()[0], k, rng) for _ in range(size)])


def source_ids(source: str) -> list[int]:
    """Return the token numbers of a source; ValueError on an unknown character or too long a text."""
    if len(source) > MAX_SOURCE_LENGTH:
        raise ValueError(
            f"the source has {len(source)} characters, the limit is {MAX_SOURCE_LENGTH}; "
            "send fewer dates at a time."
        )
    for i, c in enumerate(source):
        if c not in _SOURCE_ID:
            raise ValueError(
                f"{c!r} at position {i + 1} is not one of the source characters {SOURCE_CHARACTERS!r}; "
                "remove it."
            )
    return [_SOURCE_ID[c] for c in source]


def target_ids(target: str) -> list[int]:
    """Return the token numbers of a target, without `<bos>` and `<eos>`; ValueError as `source_ids`."""
    unknown = sorted(set(target) - set(_TARGET_ID))
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not a target token; a target looks like 2021-03-03;2020-05-12.")
    return [_TARGET_ID[c] for c in target]


def target_text(ids: list[int]) -> str:
    """Return the text of an output up to its first `<eos>`; `<pad>` and `<bos>` stay visible in it."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return "".join(TARGET_TOKENS[i] for i in ids[:end])


def pad(rows: list[list[int]], value: int) -> Tensor:
    """Return the rows as one tensor [B, longest row], filled up with `value`."""
    width = max(map(len, rows), default=0)
    return torch.tensor([r + [value] * (width - len(r)) for r in rows], dtype=torch.long).reshape(
        len(rows), width
    )


def source_batch(sources: list[str]) -> tuple[Tensor, Tensor]:
    """Return (src [B, S], src_len [B]); an empty source is allowed and has length 0."""
    rows = [source_ids(s) for s in sources]
    return pad(rows, 0), torch.tensor([len(r) for r in rows], dtype=torch.long)


def make_batch(examples: list[Example]) -> Batch:
    """Return the examples as a padded batch; ValueError when there is none."""
    if not examples:
        raise ValueError("a batch needs at least one example; got none.")
    src, src_len = source_batch([e.source for e in examples])
    rows = [target_ids(e.target) for e in examples]
    tgt_in = pad([[BOS, *r] for r in rows], PAD)
    tgt_out = pad([[*r, EOS] for r in rows], PAD)
    return Batch(src, src_len, tgt_in, tgt_out)
