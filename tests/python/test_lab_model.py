"""The three models: shapes, gradients, the loss, and what padding and empty sources do to them."""

import copy
import math

import pytest
import torch
from torch import Tensor

from lab04 import task
from lab04.model import (
    MODELS,
    Config,
    Seq2Seq,
    forward,
    forward_attention,
    forward_plain,
    readout,
    seq2seq_loss,
    source_mask,
)
from lab04.task import PAD, SOURCE_VOCAB, TARGET_TOKENS, Batch, Example, make_batch

V = len(TARGET_TOKENS)
ATTENTION = ("dot", "additive")


def small(score: str, seed: int = 0) -> Seq2Seq:
    """A model small enough to be quick."""
    torch.manual_seed(seed)
    return Seq2Seq(Config(score, d_emb=8, d_h=12, d_a=5))


def batch() -> Batch:
    """Three sources of different lengths and numbers of dates."""
    return make_batch([task.held_out_examples(k, 1)[0] for k in (1, 3, 2)])


def logits(model: Seq2Seq, b: Batch) -> Tensor:
    return forward(model, b.src, b.src_len, b.tgt_in)


@pytest.mark.parametrize("score", MODELS)
def test_shapes(score: str) -> None:
    model, b = small(score), batch()
    h, h_S = model.encode(b.src, b.src_len)
    assert h.shape == (*b.src.shape, 12)
    assert h_S.shape == (3, 12)
    assert logits(model, b).shape == (*b.tgt_in.shape, V)
    if score != "plain":
        z, alpha = forward_attention(model, b.src, b.src_len, b.tgt_in)
        assert z.shape == (*b.tgt_in.shape, V)
        assert alpha.shape == (*b.tgt_in.shape, b.src.shape[1])
        assert readout(model, h[:, :2], h[:, :2]).shape == (3, 2, V)


@pytest.mark.parametrize("score", MODELS)
def test_every_parameter_has_a_finite_gradient(score: str) -> None:
    model, b = small(score), batch()
    seq2seq_loss(logits(model, b), b.tgt_out).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.ne(0).any(), name


def test_parameters_at_full_size() -> None:
    """Counted by hand: embeddings, two GRUs of 3 d_h (d_emb + d_h + 2), the output layer, then attention."""
    counts = {m: sum(p.numel() for p in Seq2Seq(Config(m)).parameters()) for m in MODELS}
    gru = 3 * 128 * (64 + 128 + 2)
    assert counts["plain"] == (SOURCE_VOCAB + V) * 64 + 2 * gru + V * 129
    assert counts["dot"] == counts["plain"] + 128 * 257
    assert counts["additive"] == counts["dot"] + 2 * 64 * 128 + 64


@pytest.mark.parametrize("score", MODELS)
def test_the_untrained_loss_is_near_the_logarithm_of_the_vocabulary(score: str) -> None:
    torch.manual_seed(0)
    b = make_batch(task.held_out_examples(2, 32))
    with torch.no_grad():
        loss = seq2seq_loss(logits(Seq2Seq(Config(score)), b), b.tgt_out)
    assert loss.item() == pytest.approx(math.log(V), abs=0.1)


def test_the_loss_is_the_mean_over_real_tokens() -> None:
    z = torch.zeros(1, 3, V)
    z[0, 0, 5] = 2.0
    out = torch.tensor([[5, 6, PAD]])
    first = -math.log(math.exp(2) / (math.exp(2) + V - 1))
    assert seq2seq_loss(z, out).item() == pytest.approx((first + math.log(V)) / 2, abs=1e-6)
    z[0, 2] = 99.0 * torch.arange(V)  # the padded position
    assert seq2seq_loss(z, out).item() == pytest.approx((first + math.log(V)) / 2, abs=1e-6)


@pytest.mark.parametrize("score", MODELS)
def test_padding_content_never_matters_bitwise(score: str) -> None:
    """Other characters behind the end of a source change no logit and no weight."""
    model, b = small(score), batch()
    padded = ~source_mask(b.src, b.src_len)
    assert padded.any()
    other = b.src.masked_fill(padded, 7)
    with torch.no_grad():
        assert torch.equal(logits(model, b), forward(model, other, b.src_len, b.tgt_in))
        if score != "plain":
            one = forward_attention(model, b.src, b.src_len, b.tgt_in)[1]
            assert torch.equal(one, forward_attention(model, other, b.src_len, b.tgt_in)[1])


@pytest.mark.parametrize("score", MODELS)
def test_a_source_gives_the_same_alone_and_in_a_batch(score: str) -> None:
    model = small(score)
    examples = [task.held_out_examples(k, 1)[0] for k in (1, 3, 2)]
    together = logits(model, make_batch(examples))
    for i, example in enumerate(examples):
        alone = logits(model, make_batch([example]))
        torch.testing.assert_close(together[i, : alone.shape[1]], alone[0], atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("score", MODELS)
def test_an_empty_source_in_a_batch(score: str) -> None:
    """It reads nothing: finite, and its neighbours give what they gave without it."""
    model = small(score)
    full = task.held_out_examples(1, 1)[0]
    b = make_batch([full, Example("", full.target, ())])
    z = logits(model, b)
    assert z.isfinite().all()
    torch.testing.assert_close(z[:1], logits(model, make_batch([full])), atol=1e-6, rtol=1e-5)
    assert model.encode(b.src, b.src_len)[1][1].eq(0).all()
    if score != "plain":
        alpha = forward_attention(model, b.src, b.src_len, b.tgt_in)[1]
        assert alpha[1].eq(0).all()
        torch.testing.assert_close(alpha[0].sum(-1), torch.ones(alpha.shape[1]))
    seq2seq_loss(z, b.tgt_out).backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("score", MODELS)
def test_a_batch_of_empty_sources_only(score: str) -> None:
    b = make_batch([Example("", "20", ())])
    z = logits(small(score), b)
    assert z.shape == (1, 3, V)
    assert z.isfinite().all()


@pytest.mark.parametrize("score", MODELS)
def test_teacher_forcing_looks_at_no_later_target(score: str) -> None:
    model, b = small(score), batch()
    changed = b.tgt_in.clone()
    changed[:, 5:] = 4
    with torch.no_grad():
        before, after = logits(model, b), forward(model, b.src, b.src_len, changed)
    assert torch.equal(before[:, :5], after[:, :5])
    assert not torch.equal(before[:, 5:], after[:, 5:])


def test_the_plain_model_sees_the_source_through_its_last_state_alone() -> None:
    """Two sources with the same h_S give the same logits, whatever their other states are."""
    model, b = small("plain"), batch()
    _, h_S = model.encode(b.src, b.src_len)
    replaced = copy.deepcopy(model)
    replaced.encode = lambda src, src_len: (torch.full((3, 4, 12), float("nan")), h_S)  # type: ignore[method-assign]
    assert torch.equal(
        forward_plain(model, b.src, b.src_len, b.tgt_in), forward_plain(replaced, b.src, b.src_len, b.tgt_in)
    )


@pytest.mark.parametrize("score", ATTENTION)
def test_the_context_reaches_the_output(score: str) -> None:
    model, b = small(score), batch()
    h, h_S = model.encode(b.src, b.src_len)
    s = h_S[:, None]
    assert not torch.equal(readout(model, s, h[:, :1]), readout(model, s, h[:, 1:2]))


def test_the_encoder_reads_left_to_right() -> None:
    model, b = small("dot"), batch()
    changed = b.src.clone()
    changed[:, 6] = 3
    before, after = model.encode(b.src, b.src_len)[0], model.encode(changed, b.src_len)[0]
    assert torch.equal(before[:, :6], after[:, :6])
    assert not torch.equal(before[:, 6], after[:, 6])


def test_an_unknown_score_is_refused() -> None:
    with pytest.raises(ValueError, match="'general'.*plain, dot, additive"):
        Seq2Seq(Config("general"))
