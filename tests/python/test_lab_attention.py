"""Attention: golden cases, and what a mask promises."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from lab04.attention import additive_score, dot_product_attention, masked_attention

GOLDEN = Path(__file__).parents[1] / "golden" / "attention.json"
B, T, S, D, D_A = 3, 4, 6, 5, 7
LENGTHS = [6, 2, 4]


@pytest.fixture
def mask() -> Tensor:
    return torch.arange(S) < torch.tensor(LENGTHS).unsqueeze(1)


@pytest.fixture
def tensors() -> dict[str, Tensor]:
    g = torch.Generator().manual_seed(7)
    shapes = {"q": (B, T, D), "keys": (B, S, D), "W_q": (D_A, D), "W_k": (D_A, D), "u": (D_A,)}
    return {name: torch.randn(shape, generator=g) for name, shape in shapes.items()}


def attend(kind: str, t: dict[str, Tensor], mask: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with either score."""
    if kind == "dot":
        return dot_product_attention(t["q"], t["keys"], mask)
    return masked_attention(additive_score(**t), t["keys"], mask)


def golden_cases() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if case["score"] in ("dot", "additive")]


@pytest.mark.parametrize("case", golden_cases(), ids=lambda case: case["name"])
def test_golden_cases(case: dict[str, Any]) -> None:
    """Scores, weights and context within 1e-9 of the oracle, in double precision."""
    q, keys = tensor(case["queries"]), tensor(case["keys"])
    mask = torch.tensor(case["mask"])
    if case["score"] == "dot":
        scores = q @ keys.transpose(1, 2)
        alpha, h_bar = dot_product_attention(q, keys, mask)
    else:
        # The lab's score has no bias b. With a key that ends in 1, b is one more column of W_k.
        p = {name: tensor(value) for name, value in case["parameters"].items()}
        with_one = torch.cat([keys, torch.ones_like(keys[..., :1])], dim=-1)
        scores = additive_score(q, with_one, p["W_q"], torch.cat([p["W_k"], p["b"][:, None]], dim=1), p["v"])
        alpha, h_bar = masked_attention(scores, keys, mask)
    for found, expected in ((scores, "scores"), (alpha, "weights"), (h_bar, "context")):
        torch.testing.assert_close(found, tensor(case[expected]), atol=1e-9, rtol=1e-9)


def tensor(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.double)


def test_the_worked_example_of_the_chapter() -> None:
    """h = (1,0), (0,1), (-1,0) and s = (2,0): computed by hand from exp(2), exp(0), exp(-2)."""
    keys = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]])
    q = torch.tensor([[[2.0, 0.0]]])
    alpha, h_bar = dot_product_attention(q, keys, torch.tensor([[True, True, True]]))
    torch.testing.assert_close(alpha[0, 0], torch.tensor([0.866814, 0.117310, 0.015876]), atol=1e-6, rtol=0)
    torch.testing.assert_close(h_bar[0, 0], torch.tensor([0.850937, 0.117310]), atol=1e-6, rtol=0)
    alpha, _ = dot_product_attention(q, keys, torch.tensor([[True, True, False]]))
    torch.testing.assert_close(alpha[0, 0], torch.tensor([0.880797, 0.119203, 0.0]), atol=1e-6, rtol=0)


@pytest.mark.parametrize("kind", ["dot", "additive"])
def test_rows_sum_to_one_over_the_real_positions(kind: str, tensors: dict[str, Tensor], mask: Tensor) -> None:
    alpha, h_bar = attend(kind, tensors, mask)
    assert alpha.shape == (B, T, S)
    assert h_bar.shape == (B, T, D)
    torch.testing.assert_close(alpha.sum(-1), torch.ones(B, T))
    assert alpha.masked_select(~mask.unsqueeze(1)).eq(0).all()
    assert alpha.masked_select(mask.unsqueeze(1)).gt(0).all()


@pytest.mark.parametrize("kind", ["dot", "additive"])
def test_padding_content_never_matters_bitwise(kind: str, tensors: dict[str, Tensor], mask: Tensor) -> None:
    before = attend(kind, tensors, mask)
    for filling in (0.0, 1e30, -1e30, float("inf"), float("nan")):
        tensors["keys"] = tensors["keys"].masked_fill(~mask.unsqueeze(-1), filling)
        after = attend(kind, tensors, mask)
        assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))


def test_padding_of_nan_reaches_no_gradient(tensors: dict[str, Tensor], mask: Tensor) -> None:
    keys = tensors["keys"].masked_fill(~mask.unsqueeze(-1), float("nan"))
    for t in (tensors["q"], keys):
        t.requires_grad_()
    _, h_bar = dot_product_attention(tensors["q"], keys, mask)
    h_bar.sum().backward()
    assert tensors["q"].grad is not None
    assert tensors["q"].grad.isfinite().all()
    assert keys.grad is not None
    assert keys.grad.masked_select(~mask.unsqueeze(-1)).eq(0).all()


@pytest.mark.parametrize("kind", ["dot", "additive"])
def test_permuting_the_source_permutes_the_weights(
    kind: str, tensors: dict[str, Tensor], mask: Tensor
) -> None:
    alpha, h_bar = attend(kind, tensors, mask)
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    tensors["keys"] = tensors["keys"][:, order]
    moved, same = attend(kind, tensors, mask[:, order])
    torch.testing.assert_close(moved, alpha[:, :, order])
    torch.testing.assert_close(same, h_bar)


@pytest.mark.parametrize("kind", ["dot", "additive"])
def test_a_row_without_a_real_position_reads_nothing(
    kind: str, tensors: dict[str, Tensor], mask: Tensor
) -> None:
    neighbours = attend(kind, tensors, mask)
    empty = mask.clone()
    empty[1] = False
    for t in tensors.values():
        t.requires_grad_()
    alpha, h_bar = attend(kind, tensors, empty)
    assert alpha[1].eq(0).all()
    assert h_bar[1].eq(0).all()
    for b in (0, 2):
        assert torch.equal(alpha[b], neighbours[0][b])
        assert torch.equal(h_bar[b], neighbours[1][b])
    (alpha.square().sum() + h_bar.square().sum()).backward()
    for name, t in tensors.items():
        if t.grad is not None:
            assert t.grad.isfinite().all(), name
    assert tensors["q"].grad is not None
    assert tensors["keys"].grad is not None
    assert tensors["q"].grad[1].eq(0).all()
    assert tensors["keys"].grad[1].eq(0).all()
    assert tensors["keys"].grad[0].ne(0).any()


@pytest.mark.parametrize("kind", ["dot", "additive"])
def test_padded_keys_get_no_gradient(kind: str, tensors: dict[str, Tensor], mask: Tensor) -> None:
    tensors["keys"].requires_grad_()
    attend(kind, tensors, mask)[1].square().sum().backward()
    grad = tensors["keys"].grad
    assert grad is not None
    assert grad.masked_select(~mask.unsqueeze(-1)).eq(0).all()


def test_a_source_of_width_zero_gives_a_context_of_zero() -> None:
    alpha, h_bar = dot_product_attention(
        torch.ones(2, 3, 4), torch.ones(2, 0, 4), torch.ones(2, 0, dtype=torch.bool)
    )
    assert alpha.shape == (2, 3, 0)
    assert h_bar.shape == (2, 3, 4)
    assert h_bar.eq(0).all()


def test_large_scores_do_not_overflow(mask: Tensor) -> None:
    scores = torch.zeros(B, T, S)
    scores[..., 0] = 1e4
    alpha, _ = masked_attention(scores, torch.ones(B, S, D), mask)
    assert alpha.isfinite().all()
    torch.testing.assert_close(alpha[..., 0], torch.ones(B, T))


def test_only_differences_between_scores_matter(mask: Tensor) -> None:
    scores = torch.tensor([2.0, 0.0, 0.0]).expand(1, 1, 3)
    keys, real = torch.ones(1, 3, 2), torch.ones(1, 3, dtype=torch.bool)
    torch.testing.assert_close(
        masked_attention(scores, keys, real)[0], masked_attention(scores + 10, keys, real)[0]
    )


def test_the_additive_score_is_its_equation_one_pair_at_a_time(tensors: dict[str, Tensor]) -> None:
    scores = additive_score(**tensors)
    assert scores.shape == (B, T, S)
    for b in range(B):
        for t in range(T):
            for i in range(S):
                hidden = tensors["W_q"] @ tensors["q"][b, t] + tensors["W_k"] @ tensors["keys"][b, i]
                torch.testing.assert_close(scores[b, t, i], tensors["u"] @ hidden.tanh())


def test_the_additive_score_takes_queries_and_keys_of_different_sizes() -> None:
    scores = additive_score(
        torch.ones(1, 2, 3), torch.ones(1, 4, 5), torch.ones(6, 3), torch.ones(6, 5), torch.ones(6)
    )
    assert scores.shape == (1, 2, 4)


def test_gradients_agree_with_differences(mask: Tensor) -> None:
    g = torch.Generator().manual_seed(1)

    def leaf(*shape: int) -> Tensor:
        return torch.randn(shape, generator=g, dtype=torch.double).requires_grad_()

    q, keys, W_q, W_k, u = leaf(B, 2, D), leaf(B, S, D), leaf(D_A, D), leaf(D_A, D), leaf(D_A)
    mask = mask.clone()
    mask[2] = False
    assert torch.autograd.gradcheck(lambda q, k: dot_product_attention(q, k, mask), (q, keys))
    assert torch.autograd.gradcheck(
        lambda q, k, *w: masked_attention(additive_score(q, k, *w), k, mask), (q, keys, W_q, W_k, u)
    )


def test_a_mask_that_is_not_boolean_is_refused(tensors: dict[str, Tensor], mask: Tensor) -> None:
    with pytest.raises(TypeError, match=r"torch.bool, True = real"):
        dot_product_attention(tensors["q"], tensors["keys"], mask.float())


@pytest.mark.parametrize("shape", [(B, S + 1), (B + 1, S), (1, S)])
def test_a_mask_of_another_shape_is_refused(shape: tuple[int, int], tensors: dict[str, Tensor]) -> None:
    with pytest.raises(ValueError, match=r"must be \[B, S"):
        dot_product_attention(tensors["q"], tensors["keys"], torch.ones(shape, dtype=torch.bool))
