"""The three models of the lab: an encoder-decoder without attention, and with two scores.

The encoder is a unidirectional GRU, the decoder a GRU; attention stands in Luong's order: the
cell runs first, its state is the query, and a combination layer joins state and context before
the output layer. Leaves out: training (`training.py`) and search (`decoding.py`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab04.additive import fast_additive_score
from lab04.attention import dot_product_attention, masked_attention
from lab04.gru import GRU
from lab04.task import PAD, SOURCE_VOCAB, TARGET_TOKENS

MODELS = ("plain", "dot", "additive")


@dataclass(frozen=True)
class Config:
    """Sizes of a model: `score` is `plain`, `dot` or `additive`; d_a is used by `additive` alone."""

    score: str
    d_emb: int = 64
    d_h: int = 128
    d_a: int = 64

    def as_dict(self) -> dict:
        """Return the fields as plain values, for checkpoints and manifests."""
        return asdict(self)


class Seq2Seq(nn.Module):
    """An encoder-decoder; parameters are named as in the chapter."""

    def __init__(self, config: Config):
        super().__init__()
        if config.score not in MODELS:
            raise ValueError(f"score is {config.score!r}; it must be one of {', '.join(MODELS)}.")
        self.config = config
        d_h, vocab = config.d_h, len(TARGET_TOKENS)
        self.src_emb = nn.Embedding(SOURCE_VOCAB, config.d_emb)
        self.enc = GRU(config.d_emb, d_h)
        self.tgt_emb = nn.Embedding(vocab, config.d_emb)
        self.dec = GRU(config.d_emb, d_h)
        self.W_o = nn.Linear(d_h, vocab)
        if config.score != "plain":
            self.W_c = nn.Linear(2 * d_h, d_h)
        if config.score == "additive":
            self.W_q = nn.Linear(d_h, config.d_a, bias=False)
            self.W_k = nn.Linear(d_h, config.d_a, bias=False)
            self.u = nn.Linear(config.d_a, 1, bias=False)

    def encode(self, src: Tensor, src_len: Tensor) -> tuple[Tensor, Tensor]:
        """Read the sources. src: [B, S], src_len: [B]. Returns (h [B, S, d_h], h_S [B, d_h]).

        h_S is the state after the last real character; for an empty source it is h_0 = 0. States at
        padded positions are finite and mean nothing.
        """
        h_0 = self.src_emb.weight.new_zeros(src.shape[0], self.config.d_h)
        if src.shape[1] == 0:
            return h_0.unsqueeze(1)[:, :0], h_0
        h = self.enc.read(self.src_emb, src, h_0)  # [B, S, d_h]
        last = h[torch.arange(len(src_len)), (src_len - 1).clamp(min=0)]  # [B, d_h]
        return h, torch.where((src_len > 0).unsqueeze(1), last, h_0)

    def attend(self, s: Tensor, h: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Read the source with queries s [B, T, d_h]. Returns (alpha [B, T, S], h_bar [B, T, d_h])."""
        if self.config.score == "dot":
            return dot_product_attention(s, h, mask)
        scores = fast_additive_score(s, h, self.W_q.weight, self.W_k.weight, self.u.weight[0])
        return masked_attention(scores, h, mask)


def source_mask(src: Tensor, src_len: Tensor) -> Tensor:
    """Return the mask [B, S] of real positions."""
    return torch.arange(src.shape[1], device=src.device) < src_len.unsqueeze(1)


def readout(model: Seq2Seq, s: Tensor, h_bar: Tensor) -> Tensor:
    """Combine state and context and return the logits: s and h_bar [B, T, d_h] to [B, T, |V|]."""
    s_tilde = torch.tanh(model.W_c(torch.cat([s, h_bar], dim=-1)))  # [B, T, d_h]
    return model.W_o(s_tilde)  # [B, T, |V|]


def decoder_states(model: Seq2Seq, tgt_in: Tensor, s_0: Tensor) -> Tensor:
    """Run the decoder cell from s_0 [B, d_h] over the correct previous tokens [B, T]: s [B, T, d_h]."""
    return model.dec.read(model.tgt_emb, tgt_in, s_0)


def forward_plain(model: Seq2Seq, src: Tensor, src_len: Tensor, tgt_in: Tensor) -> Tensor:
    """Return the logits [B, T, |V|] under teacher forcing; the source enters through s_0 = h_S alone."""
    _, h_S = model.encode(src, src_len)
    return model.W_o(decoder_states(model, tgt_in, h_S))


def forward_attention(model: Seq2Seq, src: Tensor, src_len: Tensor, tgt_in: Tensor) -> tuple[Tensor, Tensor]:
    """Return (logits [B, T, |V|], alpha [B, T, S]) under teacher forcing."""
    h, h_S = model.encode(src, src_len)
    s = decoder_states(model, tgt_in, h_S)
    alpha, h_bar = model.attend(s, h, source_mask(src, src_len))
    return readout(model, s, h_bar), alpha


def forward(model: Seq2Seq, src: Tensor, src_len: Tensor, tgt_in: Tensor) -> Tensor:
    """Return the logits [B, T, |V|] of any of the three models under teacher forcing."""
    if model.config.score == "plain":
        return forward_plain(model, src, src_len, tgt_in)
    return forward_attention(model, src, src_len, tgt_in)[0]


def seq2seq_loss(logits: Tensor, tgt_out: Tensor) -> Tensor:
    """Return the mean of -log P(y_t | y_<t, x) over the real target tokens, in nats.

    logits: [B, T, |V|], tgt_out: [B, T]; padding is skipped. The sum of the chapter's loss divided
    by the number of target tokens, which the parameters do not change.
    """
    return F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD)
