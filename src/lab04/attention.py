"""One attention step for all target positions at once: scores, weights, context.

The masked softmax and the average are the same for every score function, so they are one
function; each score function only computes scores. Leaves out: the general score, which the
chapter treats and the lab does not use.
"""

import torch
from torch import Tensor


def real_keys(keys: Tensor, mask: Tensor) -> Tensor:
    """Return the keys [B, S, d_h] with zeros at padded positions, so that whatever stood there stays there.

    A weight of 0 does not keep out a NaN: 0 * NaN is NaN. mask: bool [B, S], True = real position.
    Raises TypeError when the mask is not boolean, ValueError when the shapes disagree.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"the mask has dtype {mask.dtype}; it must be torch.bool, True = real position.")
    if mask.shape != keys.shape[:2]:
        raise ValueError(
            f"keys {tuple(keys.shape)} and mask {tuple(mask.shape)} must be [B, S, d_h] and [B, S]."
        )
    return keys.masked_fill(~mask.unsqueeze(2), 0.0)


def masked_attention(scores: Tensor, keys: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Normalize scores over the real source positions and average the keys with the weights.

    scores: [B, T, S]. keys: [B, S, d_h]. mask: bool [B, S], True = real position.
    Returns (alpha [B, T, S], h_bar [B, T, d_h]), the weights and the context of the chapter's
    equations for the softmax and the average. A row of the batch without a real position reads
    nothing: its weights and its context are 0 and no gradient flows back from it.
    Raises TypeError when the mask is not boolean, ValueError when the shapes disagree.
    """
    keys = real_keys(keys, mask)
    if scores.shape[::2] != mask.shape:
        raise ValueError(
            f"scores {tuple(scores.shape)} and mask {tuple(mask.shape)} must be [B, T, S] and [B, S]."
        )
    real = mask.unsqueeze(1)  # [B, 1, S]
    empty = ~real.any(dim=-1, keepdim=True)  # [B, 1, 1]
    # An all -inf row would make the softmax 0/0; give it zeros to work on, then take its weights away.
    scores = scores.masked_fill(~real, float("-inf")).masked_fill(empty, 0.0)
    alpha = torch.softmax(scores, dim=-1).masked_fill(empty, 0.0)  # [B, T, S]
    return alpha, alpha @ keys  # context: [B, T, d_h]


def dot_product_attention(q: Tensor, keys: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Attend with the dot-product score (Luong et al., 2015).

    q: [B, T, d_h]. keys: [B, S, d_h]. mask: bool [B, S].
    Returns (alpha [B, T, S], h_bar [B, T, d_h]); raises as `masked_attention`.
    """
    keys = real_keys(keys, mask)  # the scores too: the query's gradient would read the padding
    return masked_attention(q @ keys.transpose(1, 2), keys, mask)


def additive_score(q: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, u: Tensor) -> Tensor:
    """Score every pair with a network of one hidden layer (Bahdanau et al., 2015).

    q: [B, T, d_q]. keys: [B, S, d_k]. W_q: [d_a, d_q]. W_k: [d_a, d_k]. u: [d_a].
    Returns the scores [B, T, S], unmasked. Before the tanh, B * T * S * d_a numbers are held.
    """
    hidden = (q @ W_q.T).unsqueeze(2) + (keys @ W_k.T).unsqueeze(1)  # [B, T, S, d_a]
    return torch.tanh(hidden) @ u  # [B, T, S]
