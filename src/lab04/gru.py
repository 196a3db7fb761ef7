"""A GRU for training on the CPU: the parameters and the results of `torch.nn.GRU`, in less time.

`torch.nn.GRU` records each operation of each step and adds to the weights' gradients step by step.
Here the whole sequence is one operation with its own backward pass, and each weight's gradient is
one matrix product over all steps; `make bench` reports the ratio. Leaves out: several layers,
two directions, dropout, packed sequences, second derivatives.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class _Recurrence(Function):
    """The recurrent part. gi: [S, B, 3H], the input's share of the gates in torch's order r, z, n."""

    @staticmethod
    def forward(ctx: Any, gi: Tensor, h_0: Tensor, W_hh: Tensor, b_hh: Tensor) -> Tensor:
        """Return the states [S, B, H]."""
        steps, batch, width = gi.shape[0], gi.shape[1], W_hh.shape[1]
        h = gi.new_empty(steps + 1, batch, width)
        rz = gi.new_empty(steps, batch, 2 * width)
        n = gi.new_empty(steps, batch, width)
        m = gi.new_empty(steps, batch, width)  # W_hn h + b_hn, which the reset gate scales
        h[0] = h_0
        W_rz, W_n = W_hh[: 2 * width].T, W_hh[2 * width :].T
        b_rz, b_n = b_hh[: 2 * width], b_hh[2 * width :]
        h_t = h[0]
        for gi_t, rz_t, n_t, m_t, h_next in zip(gi, rz, n, m, h[1:], strict=True):
            torch.addmm(b_rz, h_t, W_rz, out=rz_t).add_(gi_t[:, : 2 * width]).sigmoid_()
            torch.addmm(b_n, h_t, W_n, out=m_t)
            torch.addcmul(gi_t[:, 2 * width :], rz_t[:, :width], m_t, out=n_t).tanh_()
            h_t = torch.lerp(n_t, h_t, rz_t[:, width:], out=h_next)  # (1 - z) n + z h
        ctx.save_for_backward(h, rz, n, m, W_hh)
        return h[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, dh_out: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Walk back through the steps, then form each weight's gradient in one product."""
        h, rz, n, m, W_hh = ctx.saved_tensors
        steps, batch, width = n.shape
        dgh = torch.empty(steps, batch, 3 * width, dtype=n.dtype)  # with respect to W_hh h + b_hh
        dn = torch.empty_like(n)  # with respect to the argument of the tanh
        dh = torch.zeros(batch, width, dtype=n.dtype)
        scratch = torch.empty_like(dh)
        for dh_t, h_t, rz_t, n_t, m_t, dgh_t, dn_t in reversed(
            list(zip(dh_out, h[:-1], rz, n, m, dgh, dn, strict=True))
        ):
            (r, z), (dr, dz, dm) = rz_t.chunk(2, 1), dgh_t.chunk(3, 1)
            dh.add_(dh_t)
            torch.ops.aten.sigmoid_backward.grad_input(
                torch.mul(dh, h_t - n_t, out=scratch), z, grad_input=dz
            )
            torch.addcmul(dh, dh, z, value=-1, out=scratch)
            torch.ops.aten.tanh_backward.grad_input(scratch, n_t, grad_input=dn_t)
            torch.mul(dn_t, r, out=dm)
            torch.ops.aten.sigmoid_backward.grad_input(torch.mul(dn_t, m_t, out=scratch), r, grad_input=dr)
            dh = torch.addmm(dh.mul_(z), dgh_t, W_hh)
        flat = dgh.flatten(0, 1)  # [S * B, 3H]
        dW, db = flat.T @ h[:-1].flatten(0, 1), flat.sum(0)
        dgh[..., 2 * width :] = dn  # from here on, with respect to gi
        return dgh, dh, dW, db


class GRU(nn.GRU):
    """`nn.GRU` of one layer, batch first, that can also read tokens through their embedding."""

    def __init__(self, input_size: int, hidden_size: int):
        super().__init__(input_size, hidden_size, batch_first=True)

    def read(self, embedding: nn.Embedding, tokens: Tensor, h_0: Tensor) -> Tensor:
        """Return the states [B, S, H] for tokens [B, S] from h_0 [B, H].

        Equal to `self(embedding(tokens), h_0[None])[0]` up to rounding. The vocabulary is small, so
        each token's share of the gates is computed once and looked up, not once per position.
        """
        if tokens.device.type != "cpu":
            return self(embedding(tokens), h_0[None])[0]
        table = embedding.weight @ self.weight_ih_l0.T + self.bias_ih_l0  # type: ignore[operator]  # [V, 3H]
        gi = functional.embedding(tokens.T, table)  # [S, B, 3H]
        return _Recurrence.apply(gi, h_0, self.weight_hh_l0, self.bias_hh_l0).transpose(0, 1)
