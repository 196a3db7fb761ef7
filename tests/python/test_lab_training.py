"""Training: reproducible, interruptible, and fair to all models; and what the lab writes at its end."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from lab04 import lab, measure, measured, record, training
from lab04.additive import fast_additive_score
from lab04.attention import additive_score
from lab04.export import read_weights
from lab04.model import MODELS, Config
from lab04.report.data_check import problems
from lab04.report.results import load_all
from lab04.task import KS
from lab04.training import Budget, Run, new_run, open_run, train

TINY = {"d_emb": 8, "d_h": 12, "d_a": 5}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few held-out sources before each run."""
    monkeypatch.setattr(training, "held_out_loss", functools.partial(training.held_out_loss, per_k=4))


def run_of(score: str = "dot", steps: int = 4, seed: int = 0) -> Run:
    return new_run(Config(score, **TINY), Budget(steps=steps, batch=4), seed)


def same_weights(a: Run, b: Run) -> bool:
    pairs = zip(a.model.state_dict().values(), b.model.state_dict().values(), strict=True)
    return all(torch.equal(x, y) for x, y in pairs)


@pytest.mark.parametrize("score", MODELS)
def test_a_run_is_reproducible(score: str, tmp_path: Path) -> None:
    a = train(run_of(score), tmp_path / "a.pt")
    b = train(run_of(score), tmp_path / "b.pt")
    assert a.losses == b.losses
    assert same_weights(a, b)
    assert not same_weights(a, train(run_of(score, seed=1), tmp_path / "c.pt"))


@pytest.mark.parametrize("score", ["plain", "additive"])
def test_an_interrupted_run_ends_with_the_same_weights(score: str, tmp_path: Path) -> None:
    whole = train(run_of(score, steps=5), tmp_path / "whole.pt", every=2)

    def interrupt(run: Run) -> None:
        if run.step == 3:
            raise KeyboardInterrupt

    path = tmp_path / "part.pt"
    with pytest.raises(KeyboardInterrupt):
        train(run_of(score, steps=5), path, interrupt, every=2)
    resumed = open_run(Config(score, **TINY), Budget(steps=5, batch=4), 0, path)
    assert resumed.step == 3
    train(resumed, path, every=2)
    assert resumed.losses == whole.losses
    assert same_weights(resumed, whole)


def test_training_lowers_the_loss(tmp_path: Path) -> None:
    run = train(run_of("dot", steps=30), tmp_path / "run.pt")
    assert sum(run.losses[-5:]) / 5 < run.losses[0] - 0.2
    assert run.untrained_loss == pytest.approx(math.log(15), abs=0.2)


def test_all_models_of_a_seed_see_the_same_batches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: dict[str, list[torch.Tensor]] = {}
    draw = training.training_batch
    for score in MODELS:
        batches = seen.setdefault(score, [])

        def record(rng: Any, size: int, batches: list[torch.Tensor] = batches) -> Any:
            batch = draw(rng, size)
            batches.append(batch.src)
            return batch

        monkeypatch.setattr(training, "training_batch", record)
        train(run_of(score), tmp_path / f"{score}.pt")
    for score in MODELS:
        assert len(seen[score]) == 4
        assert all(torch.equal(a, b) for a, b in zip(seen[score], seen["plain"], strict=True))


def test_a_checkpoint_of_other_settings_or_code_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "run.pt"
    train(run_of(steps=1), path)
    config, budget = Config("dot", **TINY), Budget(steps=1, batch=4)
    assert open_run(config, budget, 0, path).step == 1
    with pytest.raises(ValueError, match="FRESH=1"):
        open_run(config, Budget(steps=2, batch=4), 0, path)
    with pytest.raises(ValueError, match="FRESH=1"):
        open_run(config, budget, 1, path)
    monkeypatch.setattr(training, "code_hash", lambda files: "other")
    with pytest.raises(ValueError, match="other training code"):
        open_run(config, budget, 0, path)
    assert open_run(config, budget, 0, path, "fresh").step == 0
    assert len(list(tmp_path.glob("run.*.pt"))) == 1
    with pytest.raises(ValueError, match="'anew'; it must be one of resume, fresh, adopt"):
        open_run(config, budget, 0, path, "anew")


def test_other_code_takes_a_run_over_only_if_it_replays_its_first_steps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "run.pt"
    run = train(run_of(steps=3), path)
    config, budget = run.config, run.budget
    monkeypatch.setattr(training, "code_hash", lambda files: "renamed")
    taken = open_run(config, budget, 0, path, "adopt")
    assert taken.losses == run.losses
    assert open_run(config, budget, 0, path).step == 3  # the file now belongs to this code
    monkeypatch.setattr(training, "code_hash", lambda files: "changed")
    step = training.train_step
    monkeypatch.setattr(training, "train_step", lambda run: step(run) + 1e-7)
    with pytest.raises(ValueError, match="does not repeat its first steps"):
        open_run(config, budget, 0, path, "adopt")
    assert training.load(path)[1] == "renamed"


@pytest.mark.parametrize("content", [b"", b"not a checkpoint"])
def test_a_broken_checkpoint_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.pt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a readable checkpoint"):
        open_run(Config("dot", **TINY), Budget(), 0, path)


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ("training.py", training.TRAINING_CODE),
        ("record.py", [*record.MEASURE_CODE, *record.EXPORT_CODE]),
        ("measure.py", record.MEASURE_CODE),
        ("export.py", record.EXPORT_CODE),
    ],
)
def test_the_hashed_code_names_every_module_that_it_imports(start: str, code: list[Path]) -> None:
    named = {path.name for path in code}
    here = Path(training.__file__).parent
    todo, needed = [start], set()
    while todo:
        name = todo.pop()
        if name in needed or name == "provenance.py":
            continue
        needed.add(name)
        for line in (here / name).read_text(encoding="utf-8").splitlines():
            if line.startswith("from lab04 import "):
                modules = line.removeprefix("from lab04 import ").split(", ")
                todo += [f"{module.split()[0]}.py" for module in modules]
            elif line.startswith("from lab04."):
                todo.append(line.split()[1].removeprefix("lab04.") + ".py")
    assert needed <= named
    assert "formats.json" in named


def test_the_names_of_the_report_are_those_of_the_lab() -> None:
    assert MODELS == measured.MODELS
    assert tuple(map(str, KS)) == measured.KS


def test_the_fast_additive_score_is_the_plain_one() -> None:
    g = torch.Generator().manual_seed(3)
    shapes = [(2, 3, 4), (2, 5, 6), (7, 4), (7, 6), (7,)]
    first = [torch.randn(s, generator=g, dtype=torch.double).requires_grad_() for s in shapes]
    second = [t.detach().clone().requires_grad_() for t in first]
    fast, plain = fast_additive_score(*first), additive_score(*second)
    torch.testing.assert_close(fast, plain, atol=1e-12, rtol=1e-9)
    weight = torch.randn(fast.shape, generator=g, dtype=torch.double)
    (fast * weight).sum().backward()
    (plain * weight).sum().backward()
    for a, b in zip(first, second, strict=True):
        torch.testing.assert_close(a.grad, b.grad, atol=1e-12, rtol=1e-9)


@pytest.fixture
def tiny_lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The lab's own writing of `data/`, from small models, a few steps, one seed and few sources."""
    budget, runs, data = Budget(steps=20, batch=2), tmp_path / "runs", tmp_path / "data"
    monkeypatch.setattr(record, "SEEDS", (0,))
    for name in ("exact_match_record", "alignment_record", "uniform_record"):
        monkeypatch.setattr(measure, name, functools.partial(getattr(measure, name), n=2))
    monkeypatch.setattr(measure, "beam_record", functools.partial(measure.beam_record, n=4))
    monkeypatch.setattr(measure, "beam_search", functools.partial(measure.beam_search, max_len=5))
    monkeypatch.setattr(measure, "greedy_decode", functools.partial(measure.greedy_decode, max_len=5))
    monkeypatch.setattr(
        measure,
        "greedy_texts",
        lambda model, sources, max_len: [g.text for g in measure.greedy_decode(model, sources)],
    )
    records: dict[str, dict[str, Any]] = {}
    for score in MODELS:
        train(new_run(Config(score, **TINY), budget, 0), lab.checkpoint_path(runs, score, 0))
        records[score] = {"0": lab.measure_checkpoint(runs, score, 0)}
        record.write_weights(training.load(lab.checkpoint_path(runs, score, 0))[0], data)
    record.write_data(records, data, budget)
    return data


def test_the_lab_writes_what_the_figures_read(tiny_lab: Path) -> None:
    loaded = load_all(tiny_lab)
    assert loaded["training"]["vocab"] == 15
    assert problems(tiny_lab) == []
    for score in MODELS:
        manifest = tiny_lab / "weights" / f"lab04_{score}.json"
        described = json.loads(manifest.read_text(encoding="utf-8"))
        assert described["provenance"]["seeds"] == [0]
        tensors = read_weights(manifest)
        assert set(tensors) == {t["name"] for t in described["tensors"]}
        assert tensors["W_o"].shape == (15, 12)
