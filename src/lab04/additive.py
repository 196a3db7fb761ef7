"""The additive score for training on the CPU: `attention.additive_score` with its own backward pass.

The plain expression holds four arrays of B * T * S * d_a numbers at once while it trains, and moving
them through memory is what it spends its time on. Here one such array is kept, the tanh, and each
source of the batch is worked on while it is in the cache; `make bench` reports the ratio. Leaves out:
second derivatives.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from lab04.attention import additive_score


class _ProjectedScore(Function):
    """u . tanh(q + k) for every pair. q: [B, T, d_a] and k: [B, S, d_a], projected; u: [d_a]."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, u: Tensor) -> Tensor:
        """Return the scores [B, T, S]."""
        hidden = q.new_empty(q.shape[0], q.shape[1], k.shape[1], q.shape[2])  # [B, T, S, d_a]
        for q_b, k_b, hidden_b in zip(q, k, hidden, strict=True):
            torch.add(q_b.unsqueeze(1), k_b.unsqueeze(0), out=hidden_b).tanh_()
        ctx.save_for_backward(hidden, u)
        return hidden @ u

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, dscores: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gradients of q, k and u."""
        hidden, u = ctx.saved_tensors
        batch, t, s, d_a = hidden.shape
        dq, dk = hidden.new_empty(batch, t, d_a), hidden.new_empty(batch, s, d_a)
        slope = hidden.new_empty(t, s, d_a)
        for hidden_b, dscores_b, dq_b, dk_b in zip(hidden, dscores, dq, dk, strict=True):
            torch.mul(hidden_b, hidden_b, out=slope).neg_().add_(1).mul_(dscores_b.unsqueeze(2))
            torch.sum(slope, 1, out=dq_b)
            torch.sum(slope, 0, out=dk_b)
        return dq * u, dk * u, dscores.flatten() @ hidden.flatten(0, 2)


def fast_additive_score(q: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, u: Tensor) -> Tensor:
    """Return what `additive_score` returns, up to rounding; on another device than the CPU, by it."""
    if q.device.type != "cpu":
        return additive_score(q, keys, W_q, W_k, u)
    return _ProjectedScore.apply(q @ W_q.T, keys @ W_k.T, u)
