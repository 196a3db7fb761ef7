"""The task: the split into training and test dates, examples, token numbers, and what is refused."""

import random
from datetime import date

import pytest
import torch

from lab04 import task
from lab04.dates import FIRST_YEAR, FORMATS, LAST_YEAR, render
from lab04.reading import parse_source
from lab04.task import BOS, EOS, PAD, TARGET_TOKENS, Example, make_batch, source_ids, split_dates, target_ids


def test_the_target_has_exactly_fifteen_tokens() -> None:
    assert len(TARGET_TOKENS) == len(set(TARGET_TOKENS)) == 15
    assert set(TARGET_TOKENS) == {*"0123456789-;", "<pad>", "<bos>", "<eos>"}
    assert len({PAD, BOS, EOS}) == 3


def test_every_day_is_in_training_or_in_test_and_in_one_only() -> None:
    training, test = split_dates()
    days = (date(LAST_YEAR, 12, 31) - date(FIRST_YEAR, 1, 1)).days + 1
    assert len(training) + len(test) == len({*training, *test}) == days
    assert not {*training} & {*test}
    assert len(test) == round(task.TEST_SHARE * days)


def test_dates_drawn_for_training_never_occur_in_a_test() -> None:
    training, test = map(set, split_dates())
    rng = random.Random(0)
    for _ in range(20):
        batch = task.training_batch(rng, 32)
        for row in batch.src:
            source = "".join(task.SOURCE_CHARACTERS[i - 1] for i in row.tolist() if i)
            assert training.issuperset(parse_source(source))
    for k in task.KS:
        for example in task.held_out_examples(k, 200):
            assert test.issuperset(parse_source(example.source))


@pytest.mark.parametrize("k", task.KS)
def test_examples_say_what_their_source_says(k: int) -> None:
    examples = task.held_out_examples(k, 100)
    assert examples == task.held_out_examples(k, 100)
    for example in examples:
        days = parse_source(example.source)
        assert len(days) == len(example.spans) == k
        assert example.target == ";".join(day.isoformat() for day in days)
        written = [example.source[start:end] for start, end in example.spans]
        assert "; ".join(written) == example.source


def test_test_examples_use_every_format_and_differ_between_buckets() -> None:
    used: set[str] = set()
    for example in task.held_out_examples(1, 300):
        (day,) = parse_source(example.source)
        used |= {form for form in FORMATS if render(day, form) == example.source}
    assert used == set(FORMATS)
    assert task.held_out_examples(1, 50) != task.held_out_examples(1, 50, seed=1)


def test_numbers_and_text_of_a_target() -> None:
    ids = target_ids("2021-03-03;1999-12-31")
    assert task.target_text([*ids, EOS, PAD, PAD]) == "2021-03-03;1999-12-31"
    assert task.target_text([*ids, EOS, *target_ids("7")]) == "2021-03-03;1999-12-31"
    assert task.target_text([EOS]) == ""
    assert task.target_text(ids[:3]) == "202"
    assert "<pad>" in task.target_text([PAD, EOS])


@pytest.mark.parametrize(
    ("source", "found", "rule"),
    [
        ("3 März 2021", "'ä'", "position 4"),
        ("3 March 2021\n", r"'\n'", "position 13"),
        ("\u0663 March", "\u0663", "position 1"),
        ("🙂", "🙂", "source characters"),
    ],
)
def test_an_unknown_source_character_is_refused_with_its_place(source: str, found: str, rule: str) -> None:
    with pytest.raises(ValueError) as error:
        source_ids(source)
    assert found in str(error.value)
    assert rule in str(error.value)


def test_a_source_over_the_limit_is_refused() -> None:
    limit = task.MAX_SOURCE_LENGTH
    assert len(source_ids("1" * limit)) == limit
    with pytest.raises(ValueError, match=rf"{limit + 1} characters.*limit is {limit}"):
        source_ids("1" * (limit + 1))


def test_the_longest_sources_fit_the_limit() -> None:
    longest = max(len(e.source) for e in task.held_out_examples(max(task.KS), 2000))
    assert longest <= task.MAX_SOURCE_LENGTH


@pytest.mark.parametrize("target", ["2021/03/03", "abc", "2021-03-03 "])
def test_an_unknown_target_token_is_refused(target: str) -> None:
    with pytest.raises(ValueError, match="not a target token"):
        target_ids(target)


def test_an_empty_source_in_a_batch_has_length_zero() -> None:
    src, src_len = task.source_batch(["", "3 May 2020"])
    assert src.shape == (2, 10)
    assert src_len.tolist() == [0, 10]
    assert src[0].eq(0).all()
    assert task.source_batch([""])[0].shape == (1, 0)
    assert task.source_batch([])[0].shape == (0, 0)


def test_no_batch_without_examples() -> None:
    with pytest.raises(ValueError, match="at least one example"):
        make_batch([])


def test_a_batch_is_shifted_and_padded() -> None:
    batch = make_batch([Example("1", "20", ((0, 1),)), Example("12/3", "2", ((0, 4),))])
    two, zero = target_ids("2")[0], target_ids("0")[0]
    assert batch.tgt_in.tolist() == [[BOS, two, zero], [BOS, two, PAD]]
    assert batch.tgt_out.tolist() == [[two, zero, EOS], [two, EOS, PAD]]
    assert batch.src.shape == (2, 4)
    assert batch.src_len.tolist() == [1, 4]
    assert batch.src[0, 1:].eq(0).all()
    assert batch.src.dtype == batch.tgt_in.dtype == torch.long


def test_source_characters_are_those_that_the_formats_write() -> None:
    """None missing, none that can never occur."""
    written: set[str] = set()
    day_set = [date(2021, month, day) for month in range(1, 13) for day in range(1, 29)]
    for day in day_set:
        for form in FORMATS:
            written |= set(render(day, form))
    assert written | {";", " "} == set(task.SOURCE_CHARACTERS)
