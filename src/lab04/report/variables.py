"""The numbers that the prose quotes: `_variables.yml`, written from the result files alone.

Every value is a string, ready to print. Shares have three decimals (`wording.py` has the rule for values
next to 0 and 1), losses three, minutes one, log-probabilities four. `spread` is lowest to highest over the
seeds, `s0` is seed 0. Minutes are what the whole budget takes one processor core, from the time of a step.
Chapters write {{< var lab04.em.dot.k1.spread >}}.
"""

from __future__ import annotations

import json
from typing import Any

from lab04.dates import FIRST_YEAR, FORMATS, LAST_YEAR
from lab04.measured import ATTENTION, BEAMS, KS, MODELS, PEAKED, TOLERANCES
from lab04.report.results import seeds_of
from lab04.report.wording import decimal, grouped, spread

Tree = dict[str, Any]


def variables(results: dict[str, Tree]) -> Tree:
    """The whole tree under `lab04`, from the five result files."""
    return {
        "lab04": {
            "config": _config(results),
            "params": {m: grouped(results["training"]["models"][m]["parameters"]) for m in MODELS},
            "minutes": _minutes(results["training"]),
            "untrained": _untrained(results["training"]),
            "em": {m: _exact_match(results["exact_match"], m) for m in MODELS},
            "plain": _plain(results["exact_match"]),
            "hit": {m: _hit(results["alignment"], m) for m in ATTENTION},
            "uniform": {f"tol{tol}": _rates(results["alignment"]["uniform"][tol]) for tol in TOLERANCES},
            "example": _example(results["attention_example"]),
            "beam": _beam(results["beam"]),
        }
    }


def to_yaml(tree: Tree) -> str:
    """The tree as YAML: nested keys in sorted order, every value in double quotes."""
    head = "# Written by scripts/make_figures_04.py from data/: change nothing here by hand.\n"
    return head + "".join(f"{line}\n" for line in _lines(tree, ""))


def _lines(tree: Tree, indent: str) -> list[str]:
    lines = []
    for key in sorted(tree):
        if isinstance(tree[key], dict):
            lines += [f"{indent}{key}:", *_lines(tree[key], indent + "  ")]
        else:
            lines.append(f"{indent}{key}: {json.dumps(tree[key], ensure_ascii=False)}")
    return lines


def _values(data: Tree, model: str, pick: Any) -> list[float]:
    """One number per seed, in the order of the seeds."""
    return [pick(data["models"][model]["seeds"][seed]) for seed in seeds_of(data)]


def _config(results: dict[str, Tree]) -> Tree:
    training = results["training"]
    settings = {key: grouped(training["config"][key]) for key in ("steps", "d_h", "d_a", "batch")}
    return settings | {
        "seeds": str(len(seeds_of(training))),
        "sources_per_k": grouped(results["exact_match"]["sources_per_k"]),
        "tokens": str(training["vocab"]),
        "ln_tokens": decimal(training["ln_vocab"], 3),
        "formats": str(len(FORMATS)),
        "first_year": str(FIRST_YEAR),
        "last_year": str(LAST_YEAR),
    }


def _minutes(training: Tree) -> Tree:
    steps = training["config"]["steps"]
    step_ms = {m: training["models"][m]["processor_ms_per_step"] for m in MODELS}
    minutes = {m: steps * step_ms[m] / 60_000 for m in MODELS} | {
        "all": steps * sum(step_ms.values()) / 60_000
    }
    return {name: decimal(value, 1) for name, value in minutes.items()}


def _untrained(training: Tree) -> Tree:
    losses = [loss for m in MODELS for loss in _values(training, m, lambda run: run["untrained_loss"])]
    return {"lowest": decimal(min(losses)), "highest": decimal(max(losses))}


def _exact_match(data: Tree, model: str) -> Tree:
    """By K: each seed's number as s0, s1, …, and their spread."""
    tree = {}
    for k in KS:
        values = _values(data, model, lambda run, k=k: run["exact_match"][k])
        each = {f"s{seed}": decimal(value) for seed, value in zip(seeds_of(data), values, strict=True)}
        tree[f"k{k}"] = each | {"spread": spread(values)}
    return tree


def _plain(data: Tree) -> Tree:
    """The plain model's accuracy on the first date of an output, by K, and on all dates after it."""
    runs = [data["models"]["plain"]["seeds"][seed]["date_accuracy"] for seed in seeds_of(data)]
    later = [accuracy for run in runs for k in KS for accuracy in run[k][1:]]
    first = {f"k{k}": {"spread": spread(run[k][0] for run in runs)} for k in KS}
    return {"first_date": first, "later_dates": {"high": decimal(max(later))}}


def _rates(rates: Tree) -> Tree:
    return {_bucket(k): decimal(rates[k]) for k in ("overall", *KS)}


def _bucket(k: str) -> str:
    return k if k == "overall" else f"k{k}"


def _hit(data: Tree, model: str) -> Tree:
    def rates(tol: str, k: str) -> Tree:
        return {"spread": spread(_values(data, model, lambda run: run["hit_rate"][tol][k]))}

    return {f"tol{tol}": {_bucket(k): rates(tol, k) for k in ("overall", *KS)} for tol in TOLERANCES}


def _example(data: Tree) -> Tree:
    example = data["examples"][0]
    tree: Tree = {}
    for model in ATTENTION:
        alpha = example["models"][model]["alpha"]
        tree[model] = {
            "rows": str(len(alpha)),
            "peaked": str(sum(max(row) > PEAKED for row in alpha)),
            "output": example["models"][model]["output"],
        }
    return tree


def _beam(data: Tree) -> Tree:
    """Seed 0's figures by beam size, and the spread of exact match over the seeds."""
    tree: Tree = {"sources": grouped(data["sources"])}
    for model in MODELS:
        runs = data["models"][model]["seeds"]
        run = runs["0"]
        tree[model] = {
            f"b{b}": {
                "em": decimal(run[b]["exact_match"]),
                "log_prob": decimal(run[b]["mean_log_prob"], 4),
                "spread": spread(each[b]["exact_match"] for each in runs.values()),
            }
            for b in BEAMS
        }
    return tree
