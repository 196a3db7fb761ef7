"""The lab's GRU gives the results and the gradients of torch's own, which is the oracle."""

import pytest
import torch
from torch import nn

from lab04.gru import GRU


def pair(seed: int, width: int = 6) -> tuple[GRU, nn.GRU, nn.Embedding, nn.Embedding]:
    """Two cells with the same parameters, in double precision."""
    torch.manual_seed(seed)
    ours, embedding = GRU(4, width).double(), nn.Embedding(9, 4).double()
    theirs, other = nn.GRU(4, width, batch_first=True).double(), nn.Embedding(9, 4).double()
    theirs.load_state_dict(ours.state_dict())
    other.load_state_dict(embedding.state_dict())
    return ours, theirs, embedding, other


@pytest.mark.parametrize(("batch", "steps"), [(1, 1), (3, 7), (5, 2)])
def test_states_and_gradients_are_those_of_torch(batch: int, steps: int) -> None:
    ours, theirs, embedding, other = pair(seed=steps)
    tokens = torch.randint(9, (batch, steps))
    start = torch.randn(batch, 6, dtype=torch.double)
    h_0, g_0 = start.clone().requires_grad_(), start.clone().requires_grad_()
    h = ours.read(embedding, tokens, h_0)
    g, _ = theirs(other(tokens), g_0[None])
    assert h.shape == (batch, steps, 6)
    torch.testing.assert_close(h, g, atol=1e-12, rtol=1e-9)
    weight = torch.randn_like(g)
    (h * weight).sum().backward()
    (g * weight).sum().backward()
    torch.testing.assert_close(h_0.grad, g_0.grad, atol=1e-12, rtol=1e-9)
    torch.testing.assert_close(embedding.weight.grad, other.weight.grad, atol=1e-12, rtol=1e-9)
    for (name, a), (_, b) in zip(ours.named_parameters(), theirs.named_parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad, atol=1e-12, rtol=1e-9, msg=name)


def test_a_gradient_at_one_step_alone_reaches_every_parameter() -> None:
    """The last state only, as the plain model uses it."""
    ours, theirs, embedding, other = pair(seed=3)
    tokens = torch.randint(9, (4, 5))
    ours.read(embedding, tokens, torch.zeros(4, 6, dtype=torch.double))[:, -1].square().sum().backward()
    theirs(other(tokens))[0][:, -1].square().sum().backward()
    for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad, atol=1e-12, rtol=1e-9)


def test_two_passes_add_their_gradients() -> None:
    ours, _, embedding, _ = pair(seed=4)
    tokens = torch.randint(9, (2, 3))
    h_0 = torch.zeros(2, 6, dtype=torch.double)
    ours.read(embedding, tokens, h_0).sum().backward()
    once = ours.weight_hh_l0.grad.clone()
    ours.read(embedding, tokens, h_0).sum().backward()
    torch.testing.assert_close(ours.weight_hh_l0.grad, 2 * once)
