"""Greedy decoding and beam search over any model that can take one step at a time.

A hypothesis is a partial output; its value is its log-probability so far. One rule orders all of
them, finished or not: the higher value first, and of equal values the one whose token numbers come
first. A hypothesis that ends in `<eos>` is frozen: it keeps its place in the beam by its value and is
not extended. Since a further token can only lower a value, search ends when the best hypothesis is
finished, or at the length limit; then the best by the same rule is returned, finished or not.
A token of probability 0 is never proposed. Leaves out: sampling, and length normalization.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from lab04.model import Seq2Seq, readout, source_mask
from lab04.task import BOS, EOS, MAX_DATES, TARGET_TOKENS, source_batch, target_text

MAX_TARGET = 11 * MAX_DATES  # ten characters and a separator, or `<eos>`, for each date


class Steps(Protocol):
    """What search needs of a model. A state holds one row for each hypothesis."""

    def start(self, sources: list[str]) -> Any:
        """Return the state before the first token, one row for each source."""

    def step(self, state: Any, tokens: list[int]) -> tuple[Tensor, Any]:
        """Feed each row its previous token. Return the log-probabilities [B, |V|] and the new state."""

    def select(self, state: Any, rows: list[int]) -> Any:
        """Return the state made of these rows, in this order; a row may occur more than once."""


class State(NamedTuple):
    """Decoder state s [B, d_h], encoder states h [B, S, d_h], mask [B, S], last weights [B, S] or None."""

    s: Tensor
    h: Tensor
    mask: Tensor
    alpha: Tensor | None = None


class Seq2SeqSteps:
    """One-token steps of a `Seq2Seq` model, without gradients."""

    def __init__(self, model: Seq2Seq):
        self.model = model

    @torch.no_grad()
    def start(self, sources: list[str]) -> State:
        """Encode the sources; s_0 = h_S."""
        src, src_len = source_batch(sources)
        h, h_S = self.model.encode(src, src_len)
        return State(h_S, h, source_mask(src, src_len))

    @torch.no_grad()
    def step(self, state: State, tokens: list[int]) -> tuple[Tensor, State]:
        """Run the cell, attend if the model does, and read out."""
        embedded = self.model.tgt_emb(torch.tensor(tokens).unsqueeze(1))  # [B, 1, d_emb]
        s, _ = self.model.dec(embedded, state.s.unsqueeze(0))  # [B, 1, d_h]
        if self.model.config.score == "plain":
            logits, alpha = self.model.W_o(s), None
        else:
            weights, h_bar = self.model.attend(s, state.h, state.mask)  # [B, 1, S], [B, 1, d_h]
            logits, alpha = readout(self.model, s, h_bar), weights[:, 0]
        return torch.log_softmax(logits[:, 0], dim=-1), State(s[:, 0], state.h, state.mask, alpha)

    def select(self, state: State, rows: list[int]) -> State:
        """Return these rows of the state."""
        alpha = None if state.alpha is None else state.alpha[rows]
        return State(state.s[rows], state.h[rows], state.mask[rows], alpha)


@dataclass(frozen=True)
class Hypothesis:
    """An output so far: token numbers without `<bos>`, the value, and whether it ended in `<eos>`."""

    tokens: tuple[int, ...]
    log_prob: float
    finished: bool

    @property
    def text(self) -> str:
        """The output as text, without `<eos>`."""
        return target_text(list(self.tokens))


@dataclass(frozen=True)
class Greedy(Hypothesis):
    """A greedy output with its attention weights, one row of S for each token; None without attention."""

    alpha: Tensor | None = None


def greedy_decode(model: Seq2Seq | Steps, sources: list[str], max_len: int = MAX_TARGET) -> list[Greedy]:
    """Decode each source by taking the most probable token at each step; of equals, the lower number.

    Stops at `<eos>` or after `max_len` tokens. Raises ValueError when a source is not acceptable
    (`task.source_ids`) or the model returns no usable probability.
    """
    if not sources:
        return []
    steps = _steps(model)
    state = steps.start(sources)
    previous = [BOS] * len(sources)
    tokens: list[list[int]] = [[] for _ in sources]
    values, rows = [0.0] * len(sources), [[] for _ in sources]  # type: ignore[var-annotated]
    for _ in range(_checked_limit(max_len)):
        log_probs, state = steps.step(state, previous)
        active = [i for i, t in enumerate(tokens) if t[-1:] != [EOS]]
        _checked(log_probs[active])
        best = log_probs.max(dim=-1)
        previous = best.indices.tolist()
        weights = getattr(state, "alpha", None)
        for i in active:
            tokens[i].append(previous[i])
            values[i] += best.values[i].item()
            if weights is not None:
                rows[i].append(weights[i, : len(sources[i])])
        if all(t[-1] == EOS for t in tokens):
            break
    return [
        Greedy(tuple(t), v, t[-1] == EOS, torch.stack(r) if r else None)
        for t, v, r in zip(tokens, values, rows, strict=True)
    ]


def beam_hypotheses(
    model: Seq2Seq | Steps, source: str, B: int, max_len: int = MAX_TARGET
) -> list[Hypothesis]:
    """Return the beam at the end of the search, best first; see the module's docstring for the rules.

    B may exceed the number of candidates: then all are kept. Raises ValueError when B or `max_len` is
    below 1, and as `greedy_decode`.
    """
    if B < 1:
        raise ValueError(f"the beam size B is {B}; it must be at least 1 (B = 1 is greedy decoding).")
    steps = _steps(model)
    state = steps.start([source])
    beam = [Hypothesis((), 0.0, False)]
    for _ in range(_checked_limit(max_len)):
        active = [hyp for hyp in beam if not hyp.finished]
        log_probs, state = steps.step(state, [hyp.tokens[-1] if hyp.tokens else BOS for hyp in active])
        # A candidate: (-value, tokens, row of its parent); a frozen hypothesis has no parent row.
        candidates = [(-hyp.log_prob, hyp.tokens, -1) for hyp in beam if hyp.finished]
        for row, (hyp, line) in enumerate(zip(active, _checked(log_probs).tolist(), strict=True)):
            for token, log_prob in enumerate(line):
                if log_prob > float("-inf"):
                    candidates.append((-(hyp.log_prob + log_prob), (*hyp.tokens, token), row))
        kept = sorted(candidates)[:B]
        beam = [Hypothesis(tokens, -cost, tokens[-1] == EOS) for cost, tokens, _ in kept]
        if beam[0].finished:
            break
        state = steps.select(state, [row for _, tokens, row in kept if tokens[-1] != EOS])
    return beam


def beam_search(model: Seq2Seq | Steps, source: str, B: int, max_len: int = MAX_TARGET) -> tuple[str, float]:
    """Return the best output's text and its log-probability; B = 1 gives what greedy decoding gives."""
    best = beam_hypotheses(model, source, B, max_len)[0]
    return best.text, best.log_prob


def _steps(model: Seq2Seq | Steps) -> Steps:
    return Seq2SeqSteps(model) if isinstance(model, Seq2Seq) else model


def _checked_limit(max_len: int) -> int:
    if max_len < 1:
        raise ValueError(f"the length limit is {max_len}; it must be at least 1 token.")
    return max_len


def _checked(log_probs: Tensor) -> Tensor:
    """Return the log-probabilities; ValueError when a row holds NaN or gives every token probability 0."""
    if not bool((log_probs.max(dim=-1).values > float("-inf")).all()):
        raise ValueError(
            f"the model gives no usable probability to any of the {len(TARGET_TOKENS)} tokens; "
            "look for NaN or for a mask that leaves nothing."
        )
    return log_probs
