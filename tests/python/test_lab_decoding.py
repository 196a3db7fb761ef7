"""Greedy decoding and beam search, on table models whose every probability is written down."""

from __future__ import annotations

import itertools
import math
import random

import pytest
import torch
from torch import Tensor

from lab04 import task
from lab04.decoding import MAX_TARGET, Seq2SeqSteps, beam_hypotheses, beam_search, greedy_decode
from lab04.model import MODELS, Config, Seq2Seq
from lab04.task import BOS, EOS, PAD, TARGET_TOKENS

V = len(TARGET_TOKENS)
A, B_, C = (TARGET_TOKENS.index(c) for c in "012")
Row = dict[int, float]


class Table:
    """A model that looks its probabilities up: prefix of tokens → token → probability.

    The state is the list of prefixes. A prefix that is not in the table gets `otherwise`.
    """

    def __init__(self, rows: dict[tuple[int, ...], Row], otherwise: Row | None = None) -> None:
        self.rows, self.otherwise = rows, otherwise or {EOS: 1.0}
        self.fed: list[int] = []  # rows per call

    def start(self, sources: list[str]) -> list[tuple[int, ...]]:
        return [()] * len(sources)

    def step(self, state: list[tuple[int, ...]], tokens: list[int]) -> tuple[Tensor, list[tuple[int, ...]]]:
        assert len(state) == len(tokens)
        self.fed.append(len(tokens))
        prefixes = [(*p, t) if t != BOS else p for p, t in zip(state, tokens, strict=True)]
        out = torch.full((len(prefixes), V), -math.inf, dtype=torch.double)
        for i, prefix in enumerate(prefixes):
            for token, probability in self.rows.get(prefix, self.otherwise).items():
                out[i, token] = math.log(probability) if probability else -math.inf
        return out, prefixes

    def select(self, state: list[tuple[int, ...]], rows: list[int]) -> list[tuple[int, ...]]:
        return [state[r] for r in rows]


# The chapter's check: the best first token does not start the best output.
TRAP = Table({(): {A: 0.6, B_: 0.4}, (A,): {A: 0.5, B_: 0.3, C: 0.2}, (B_,): {A: 0.9, B_: 0.1}})


def test_greedy_falls_into_the_trap_and_a_beam_of_two_does_not() -> None:
    (greedy,) = greedy_decode(TRAP, ["x"])
    assert greedy.text == "00"
    assert greedy.finished
    assert greedy.log_prob == pytest.approx(math.log(0.3))
    text, value = beam_search(TRAP, "x", 2)
    assert text == "10"
    assert value == pytest.approx(math.log(0.36))


@pytest.mark.parametrize("B", [1, 2, 3, V, V + 1, 100])
def test_a_beam_is_never_larger_than_asked_and_takes_any_size(B: int) -> None:
    found = beam_hypotheses(TRAP, "x", B)
    assert 1 <= len(found) <= B
    assert [h.log_prob for h in found] == sorted((h.log_prob for h in found), reverse=True)
    assert found[0].text == ("00" if B == 1 else "10")


def random_table(seed: int, depth: int = 4) -> Table:
    """Random probabilities for five tokens, `<eos>` among them, at every prefix up to the depth."""
    rng = random.Random(seed)
    tokens = [EOS, A, B_, C, task.target_ids("-")[0]]
    rows = {}
    for length in range(depth):
        for prefix in itertools.product(tokens[1:], repeat=length):
            weights = [rng.random() ** 3 for _ in tokens]
            rows[prefix] = {t: w / sum(weights) for t, w in zip(tokens, weights, strict=True)}
    return Table(rows)


def best_by_search(table: Table) -> tuple[float, tuple[int, ...]]:
    """The most probable finished output, by looking at all of them."""
    found = []

    def walk(prefix: tuple[int, ...], value: float) -> None:
        for token, probability in table.rows.get(prefix, table.otherwise).items():
            here = value + math.log(probability)
            if token == EOS:
                found.append((-here, (*prefix, token)))
            else:
                walk((*prefix, token), here)

    walk((), 0.0)
    value, tokens = min(found)
    return -value, tokens


@pytest.mark.parametrize("seed", range(8))
def test_a_beam_that_holds_everything_finds_the_best_output(seed: int) -> None:
    table = random_table(seed)
    value, tokens = best_by_search(table)
    best = beam_hypotheses(table, "x", 1000)[0]
    assert best.tokens == tokens
    assert best.log_prob == pytest.approx(value)


@pytest.mark.parametrize("seed", range(8))
def test_one_beam_is_greedy(seed: int) -> None:
    table = random_table(seed)
    (greedy,) = greedy_decode(table, ["x"])
    (beam,) = beam_hypotheses(table, "x", 1)
    assert (beam.tokens, beam.log_prob, beam.finished) == (greedy.tokens, greedy.log_prob, greedy.finished)


@pytest.mark.parametrize("score", MODELS)
def test_one_beam_is_greedy_on_the_models(score: str) -> None:
    torch.manual_seed(1)
    model = Seq2Seq(Config(score, d_emb=8, d_h=12, d_a=5))
    for example in [e for k in (1, 3) for e in task.held_out_examples(k, 4)]:
        (greedy,) = greedy_decode(model, [example.source], max_len=20)
        text, value = beam_search(model, example.source, 1, max_len=20)
        assert text == greedy.text
        assert value == greedy.log_prob


@pytest.mark.parametrize("B", [1, 2, 5])
def test_a_model_that_never_ends_is_stopped_at_the_limit(B: int) -> None:
    endless = Table({}, otherwise={A: 0.75, B_: 0.25})
    best = beam_hypotheses(endless, "x", B, max_len=6)[0]
    assert best.text == "000000"
    assert not best.finished
    assert best.log_prob == pytest.approx(6 * math.log(0.75))
    (greedy,) = greedy_decode(endless, ["x"], max_len=6)
    assert (greedy.text, greedy.finished) == ("000000", False)
    assert len(greedy_decode(endless, ["x"])[0].tokens) == MAX_TARGET


@pytest.mark.parametrize("B", [1, 2, 20])
def test_an_end_at_once_gives_the_empty_output(B: int) -> None:
    table = Table({(): {EOS: 0.7, A: 0.3}})
    assert beam_search(table, "x", B) == ("", pytest.approx(math.log(0.7)))
    assert greedy_decode(table, ["x"])[0].tokens == (EOS,)


def test_an_early_end_does_not_fill_the_beam() -> None:
    """`<eos>` is likely at every step, but one longer output is worth more than each of these."""
    rows = {(A,) * n: {A: 0.55, EOS: 0.45} for n in range(3)}
    rows[(A,) * 3] = {EOS: 1.0}
    # Ending at once is worth 0.45; the whole way 0.55 ** 3 = 0.166: the higher value wins, at any size.
    for B in (2, 3, 9):
        assert beam_search(Table(rows), "x", B) == ("", pytest.approx(math.log(0.45)))
    rows = {(A,) * n: {A: 0.9, EOS: 0.1} for n in range(3)}
    rows[(A,) * 3] = {EOS: 1.0}
    for B in (1, 2, 3, 9):
        assert beam_search(Table(rows), "x", B) == ("000", pytest.approx(3 * math.log(0.9)))


def test_finished_and_unfinished_are_compared_by_value_alone() -> None:
    """At the limit an unfinished hypothesis may win over a finished one, and the other way round."""
    table = Table({(): {EOS: 0.3, A: 0.7}, (A,): {A: 0.5, B_: 0.5}, (A, A): {A: 1.0}, (A, B_): {A: 1.0}})
    found = beam_hypotheses(table, "x", 3, max_len=2)
    assert [(h.text, h.finished) for h in found] == [("00", False), ("01", False), ("", True)]
    less = Table({(): {EOS: 0.4, A: 0.6}, (A,): {A: 0.5, B_: 0.5}})
    found = beam_hypotheses(less, "x", 3, max_len=2)
    assert (found[0].text, found[0].finished) == ("", True)


def test_an_ended_hypothesis_is_frozen() -> None:
    """It keeps its tokens and its value, is not fed to the model again, and holds its place."""
    table = Table({(): {EOS: 0.3, A: 0.7}, (A,): {B_: 1.0}, (A, B_): {C: 1.0}, (A, B_, C): {EOS: 1.0}})
    found = beam_hypotheses(table, "x", 2)
    assert [h.tokens for h in found] == [(A, B_, C, EOS), (EOS,)]
    assert [h.log_prob for h in found] == [pytest.approx(math.log(0.7)), pytest.approx(math.log(0.3))]
    assert table.fed == [1, 1, 1, 1]


def test_exact_ties_go_to_the_smaller_token_numbers() -> None:
    table = Table({(): {C: 0.5, A: 0.5}, (A,): {C: 0.5, B_: 0.5}, (C,): {A: 1.0}})
    assert greedy_decode(table, ["x"])[0].text == "01"
    assert beam_search(table, "x", 1)[0] == "01"
    found = beam_hypotheses(Table({(): {C: 0.25, B_: 0.25, A: 0.25, EOS: 0.25}}), "x", 4)
    assert [h.tokens for h in found] == [(EOS,), (A,), (B_,), (C,)]
    # A frozen hypothesis has no precedence: of equal values the smaller tokens come first all the same.
    rows = {(): {A: 0.5, C: 0.5}, (A,): {A: 1.0}, (C,): {EOS: 1.0}, (A, A): {EOS: 1.0}}
    assert [h.tokens for h in beam_hypotheses(Table(rows), "x", 2)] == [(A, A, EOS), (C, EOS)]


def test_a_token_of_probability_zero_is_never_proposed() -> None:
    found = beam_hypotheses(Table({(): {A: 1.0, B_: 0.0}}, otherwise={EOS: 1.0}), "x", 10)
    assert [h.text for h in found] == ["0"]


def test_greedy_stops_each_source_at_its_own_end() -> None:
    torch.manual_seed(0)
    model = Seq2Seq(Config("dot", d_emb=8, d_h=12))
    sources = [e.source for k in (1, 4, 2) for e in task.held_out_examples(k, 2)]
    together = greedy_decode(model, sources, max_len=30)
    for source, output in zip(sources, together, strict=True):
        (alone,) = greedy_decode(model, [source], max_len=30)
        assert output.tokens == alone.tokens
        assert output.log_prob == pytest.approx(alone.log_prob, abs=1e-4)
        assert EOS not in output.tokens[:-1]
        assert output.alpha is not None
        assert output.alpha.shape == (len(output.tokens), len(source))
        torch.testing.assert_close(output.alpha.sum(-1), torch.ones(len(output.tokens)))


def test_greedy_on_nothing_and_on_an_empty_source() -> None:
    model = Seq2Seq(Config("dot", d_emb=8, d_h=12))
    assert greedy_decode(model, []) == []
    empty, full = greedy_decode(model, ["", "3 May 2020"], max_len=5)
    assert empty.alpha is not None
    assert empty.alpha.shape[1] == 0
    assert full.tokens == greedy_decode(model, ["3 May 2020"], max_len=5)[0].tokens
    assert beam_search(model, "", 2, max_len=5)[1] < 0


def test_the_plain_model_has_no_weights() -> None:
    model = Seq2Seq(Config("plain", d_emb=8, d_h=12))
    assert greedy_decode(model, ["3 May 2020"], max_len=3)[0].alpha is None


@pytest.mark.parametrize("score", MODELS)
def test_single_steps_give_what_teacher_forcing_gives(score: str) -> None:
    from lab04.model import forward

    torch.manual_seed(2)
    model = Seq2Seq(Config(score, d_emb=8, d_h=12, d_a=5))
    examples = task.held_out_examples(2, 3)
    batch = task.make_batch(examples)
    steps = Seq2SeqSteps(model)
    state = steps.start([e.source for e in examples])
    expected = torch.log_softmax(forward(model, batch.src, batch.src_len, batch.tgt_in), dim=-1)
    for t in range(batch.tgt_in.shape[1]):
        found, state = steps.step(state, batch.tgt_in[:, t].tolist())
        torch.testing.assert_close(found, expected[:, t], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("B", "max_len"), [(0, 5), (-1, 5), (1, 0)])
def test_sizes_below_one_are_refused(B: int, max_len: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(TRAP, "x", B, max_len)


def test_a_model_without_a_usable_probability_is_refused() -> None:
    class Broken(Table):
        def step(self, state, tokens):  # type: ignore[no-untyped-def]
            return torch.full((len(tokens), V), math.nan), state

    for model in (Broken({}), Table({}, otherwise={A: 0.0})):
        with pytest.raises(ValueError, match="no usable probability"):
            greedy_decode(model, ["x"])
        with pytest.raises(ValueError, match="no usable probability"):
            beam_search(model, "x", 2)


def test_a_bad_source_is_refused_before_anything_runs() -> None:
    model = Seq2Seq(Config("dot", d_emb=8, d_h=12))
    with pytest.raises(ValueError, match="position 1"):
        greedy_decode(model, ["ß"])
    assert PAD != EOS
