"""The measures, on cases small enough to count by hand."""

import pytest
import torch
from torch import Tensor

from lab04.evaluation import (
    alignment_hit_rate,
    date_accuracy,
    digit_rows,
    exact_match,
    teacher_forced_alphas,
    uniform_hit_rate,
)
from lab04.model import Config, Seq2Seq
from lab04.task import Example

ONE = Example("3 May 2020", "2020-05-03", ((0, 10),))
TWO = Example("2020/5/3; 2021/6/4", "2020-05-03;2021-06-04", ((0, 8), (10, 18)))


def test_exact_match_counts_whole_strings() -> None:
    golds = ["2020-05-03", "2021-06-04", "2022-07-05", "2022-07-05"]
    assert exact_match(golds, golds) == 1.0
    assert exact_match(["2020-05-03", "2021-06-0", "2022-07-05 ", ""], golds) == 0.25


@pytest.mark.parametrize("preds", [[], ["a"], ["a", "b", "c"]])
def test_exact_match_refuses_lists_that_do_not_pair(preds: list[str]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        exact_match(preds, ["a", "b"] if preds else [])


def test_exact_match_refuses_single_strings() -> None:
    with pytest.raises(ValueError, match="lists of strings"):
        exact_match("2020-05-03", "2020-05-03")


def test_date_accuracy_by_position() -> None:
    golds = ["2020-01-01;2020-02-02", "2021-01-01;2021-02-02"]
    preds = ["2020-01-01;2020-02-03", "2021-01-01"]
    assert date_accuracy(preds, golds) == [1.0, 0.0]
    assert date_accuracy(["2020-02-02;2020-02-02", "x;2021-02-02;more"], golds) == [0.0, 1.0]
    with pytest.raises(ValueError, match="one K at a time"):
        date_accuracy(["a", "b"], ["2020-01-01", "2020-01-01;2020-01-01"])


def test_only_digits_count_and_each_belongs_to_its_own_date() -> None:
    rows = digit_rows(TWO)
    assert len(rows) == 16
    assert [t for t, _ in rows] == [t for t, c in enumerate(TWO.target) if c.isdigit()]
    assert {span for t, span in rows if t < 10} == {(0, 8)}
    assert {span for t, span in rows if t > 10} == {(10, 18)}


def reading(positions: list[int], columns: int) -> Tensor:
    """Weights whose rows have their maximum at the given positions."""
    return torch.nn.functional.one_hot(torch.tensor(positions), columns) * 0.5 + 0.01


def test_the_hit_rate_counted_by_hand() -> None:
    # Rows: 2020-05-03;2021-06-04 and <eos>. Digits of the first date read 7, its last position; those of the
    # second read 18, one after its end; hyphens, separator and <eos> read nonsense, which must not count.
    alpha = reading([7] * 4 + [17] + [7] * 2 + [17] + [7] * 2 + [0] + [18] * 11, 20)
    assert alignment_hit_rate([alpha], [TWO], tol=0) == 0.5
    assert alignment_hit_rate([alpha], [TWO], tol=1) == 1.0
    two_after = reading([9] * 22, 20)
    assert alignment_hit_rate([two_after], [TWO], tol=1) == 0.0
    assert alignment_hit_rate([two_after], [TWO], tol=2) == 0.5
    before = reading([9] * 10 + [0] + [9] * 11, 20)  # the second date starts at 10: reading 9 is not after it
    assert alignment_hit_rate([before], [TWO], tol=1) == 0.0
    assert alignment_hit_rate([alpha, before], [TWO, TWO], tol=1) == 0.5


def test_the_hit_rate_weighs_every_digit_alike() -> None:
    good, bad = reading([0] * 11, 10), reading([17] * 22, 18)
    assert alignment_hit_rate([good, bad], [ONE, TWO], tol=0) == pytest.approx((8 + 8) / 24)


def test_of_equal_weights_the_first_counts() -> None:
    assert alignment_hit_rate([torch.full((22, 18), 1 / 18)], [TWO], tol=0) == 0.5


def test_the_hit_rate_refuses_what_it_cannot_count() -> None:
    alpha = reading([0] * 22, 18)
    for alphas, examples in (([], []), ([alpha], [TWO, TWO])):
        with pytest.raises(ValueError, match="one for each"):
            alignment_hit_rate(alphas, examples, tol=0)
    with pytest.raises(ValueError, match="negative"):
        alignment_hit_rate([alpha], [TWO], tol=-1)
    with pytest.raises(ValueError, match="needs at least 21"):
        alignment_hit_rate([alpha[:5]], [TWO], tol=0)


def test_the_uniform_rate_is_the_share_of_positions_that_hit() -> None:
    assert uniform_hit_rate([ONE], tol=0) == uniform_hit_rate([ONE], tol=1) == 1.0
    assert uniform_hit_rate([TWO], tol=0) == pytest.approx(8 / 18)
    assert uniform_hit_rate([TWO], tol=1) == pytest.approx((9 / 18 + 8 / 18) / 2)
    assert uniform_hit_rate([ONE, TWO], tol=0) == pytest.approx((8 * 1 + 16 * 8 / 18) / 24)


def test_the_uniform_rate_is_what_random_reading_gives() -> None:
    g = torch.Generator().manual_seed(0)
    alphas = [torch.rand(22, 18, generator=g) for _ in range(2000)]
    assert alignment_hit_rate(alphas, [TWO] * 2000, tol=1) == pytest.approx(
        uniform_hit_rate([TWO], 1), abs=0.01
    )


def test_teacher_forced_weights_have_one_row_per_token_and_no_padding() -> None:
    model = Seq2Seq(Config("dot", d_emb=8, d_h=12))
    one, two = teacher_forced_alphas(model, [ONE, TWO])
    assert one.shape == (11, 10)
    assert two.shape == (22, 18)
    torch.testing.assert_close(one.sum(-1), torch.ones(11))
