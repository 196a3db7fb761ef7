"""The figures in words, with their numbers, written from the result files: the alt texts.

Leaves out: drawing (`plots.py`). Nothing here knows a result; every number comes from the data.
"""

from __future__ import annotations

import re
from typing import Any

from lab04.measured import ATTENTION, KS, MODELS, PEAKED, TOLERANCES
from lab04.report.results import seeds_of
from lab04.report.wording import decimal, grouped, listed, spans, spread, visible

NAMES = {
    "plain": "the model without attention",
    "dot": "the dot-product model",
    "additive": "the additive model",
}
# Where the year, the month and the day stand in YYYY-MM-DD
PARTS = {"year": slice(0, 4), "month": slice(5, 7), "day": slice(8, 10)}


def alt_texts(results: dict[str, dict[str, Any]]) -> dict[str, str]:
    """One text per figure, free of double quotes and line breaks."""
    texts = {
        "attention_example": _attention_example(results["attention_example"]),
        "attention_tests": _attention_tests(results["attention_example"]),
        "exact_match": _exact_match(results["exact_match"]),
        "loss": _loss(results["training"]),
        "hit_rate": _hit_rate(results["alignment"]),
    }
    return {name: re.sub(r"\s+", " ", text).replace('"', "'") for name, text in texts.items()}


def _attention_example(data: dict[str, Any]) -> str:
    """Seed 0's dot-product model on the example: each row's largest weight, by part of the date."""
    example = data["examples"][0]
    source, entry = example["source"], example["models"]["dot"]
    return (
        f"Heat-map of attention weights, dot-product model, seed {data['seed']}. "
        f"A column for each of the {len(source)} characters of {source}, a row for each of the "
        f"{len(entry['tokens'])} tokens of the output {_output(entry)}. {_peaked(entry)} "
        "Largest weight of each row, with the position that it is on: "
        + "; ".join(
            f"{name}, {', '.join(_reading(t, entry, source) for t in rows)}" for name, rows in _rows(entry)
        )
        + "."
    )


def _output(entry: dict[str, Any]) -> str:
    """The output and whether it is right; the end token is named only when the model wrote one."""
    ended = " and the end token" if entry["tokens"][-1] == "<eos>" else ""
    return f"{entry['output']} ({'correct' if entry['correct'] else 'wrong'}){ended}"


def _peaked(entry: dict[str, Any]) -> str:
    rows = sum(max(row) > PEAKED for row in entry["alpha"])
    return f"In {rows} of the {len(entry['alpha'])} rows one cell holds more than {PEAKED} of the weight."


def _rows(entry: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """The rows by what they write: year, month, day and the rest; all together if it is not one date."""
    rows = list(range(len(entry["tokens"])))
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", entry["output"]):
        return [("in order", rows)]
    named = [(name, rows[part]) for name, part in PARTS.items()]
    taken = {t for _, part in named for t in part}
    return [*named, ("hyphens and end", [t for t in rows if t not in taken])]


def _reading(t: int, entry: dict[str, Any], source: str) -> str:
    """One row: which token reads which character, and the weight where the row is not peaked."""
    row, token = entry["alpha"][t], visible(entry["tokens"][t])
    best = max(range(len(row)), key=row.__getitem__)
    character = "the space" if source[best] == " " else source[best]
    weight = "" if row[best] > PEAKED else f" ({decimal(row[best], 2)})"
    return f"{token} reads {character} at {best + 1}{weight}"


def _attention_tests(data: dict[str, Any]) -> str:
    tests = data["examples"][1:]
    texts = []
    for n, test in enumerate(tests):
        source, entry = test["source"], test["models"]["dot"]
        reading = f"{_peaked(entry)} {_ranges(entry, source)}"
        texts.append(f"{_letter(n)}, {source} gives {_output(entry)}. {reading}")
    return (
        f"{len(tests)} heat-maps of attention weights, dot-product model, seed {data['seed']}. "
        f"The characters of a test source run across, the output tokens run down. {' '.join(texts)}"
    )


def _letter(n: int) -> str:
    return f"Map {chr(ord('a') + n)}"


def _ranges(entry: dict[str, Any], source: str) -> str:
    """Where each part of the date has its largest weights."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", entry["output"]):
        tokens = [token for token in entry["tokens"] if token != "<eos>"]
        if dates := spans(tokens, ";"):
            texts = [f"{''.join(tokens[a:b])} at {_span(entry, range(a, b))}" for a, b in dates]
            return f"Largest weights: {listed(texts)} of {len(source)} positions."
        return ""
    parts = [f"the {name} rows at {_span(entry, rows)}" for name, rows in _rows(entry)[:3]]
    return f"Largest weights: {listed(parts)} of {len(source)} positions."


def _span(entry: dict[str, Any], rows: Any) -> str:
    best = [max(range(len(row)), key=row.__getitem__) + 1 for row in (entry["alpha"][t] for t in rows)]
    return f"{min(best)}" if min(best) == max(best) else f"{min(best)} to {max(best)}"


def _exact_match(data: dict[str, Any]) -> str:
    """Each model's mean by K, with the seeds where they differ."""
    seeds = seeds_of(data)
    texts = []
    for model in MODELS:
        by_k = []
        for k in KS:
            values = [data["models"][model]["seeds"][seed]["exact_match"][k] for seed in seeds]
            by_k.append(f"{_mean(values)} at K = {k}")
        texts.append(f"{NAMES[model].capitalize()}: {', '.join(by_k)}.")
    return (
        f"Bar chart of exact match, from 0 to 1, by the number K of dates in the source, on "
        f"{grouped(data['sources_per_k'])} test sources for each K. Bars are means over {len(seeds)} seeds, "
        f"dots are the seeds. {' '.join(texts)}"
    )


def _mean(values: list[float]) -> str:
    """A mean, and the seeds in brackets unless they print alike."""
    each = [decimal(value) for value in values]
    mean = decimal(sum(values) / len(values))
    return mean if set(each) == {mean} else f"{mean} (seeds {listed(each)})"


def _loss(data: dict[str, Any]) -> str:
    """Where the curves start and end, and when each model first gets below a tenth of a nat."""
    runs = {m: list(data["models"][m]["seeds"].values()) for m in MODELS}
    steps = max(run["loss"]["step"][-1] for run in runs["plain"])
    untrained = spread([run["untrained_loss"] for every in runs.values() for run in every], 2)
    texts = []
    for m in MODELS:
        final = spread([run["final_loss"] for run in runs[m]])
        texts.append(f"{NAMES[m].capitalize()} ends at {final} and {_crossing(runs[m])}.")
    return (
        f"Line chart of the training loss in nats per target token over {grouped(steps)} steps, on a "
        f"logarithmic scale, one line per model and seed. Before training the loss is {untrained}, and the "
        f"natural logarithm of {data['vocab']} is {decimal(data['ln_vocab'], 2)}. {' '.join(texts)}"
    )


def _crossing(runs: list[dict[str, Any]], bar: float = 0.1) -> str:
    """When the recorded loss first falls below the bar, over the seeds."""
    pairs = [zip(run["loss"]["step"], run["loss"]["value"], strict=True) for run in runs]
    first = [next((step for step, value in pair if value < bar), None) for pair in pairs]
    reached = sorted(step for step in first if step is not None)
    if not reached:
        return f"never falls below {bar}"
    when = (
        grouped(reached[0])
        if reached[0] == reached[-1]
        else f"{grouped(reached[0])} to {grouped(reached[-1])}"
    )
    return f"first falls below {bar} at step {when}" + (
        "" if len(reached) == len(runs) else f" in {len(reached)} of {len(runs)} seeds"
    )


def _hit_rate(data: dict[str, Any]) -> str:
    texts = []
    for tol in TOLERANCES:
        parts = []
        for model in ATTENTION:
            runs = data["models"][model]["seeds"].values()
            by_k = ", ".join(f"{spread([run['hit_rate'][tol][k] for run in runs])} at K = {k}" for k in KS)
            parts.append(f"{NAMES[model]} {by_k}")
        uniform = ", ".join(f"{decimal(data['uniform'][tol][k])} at K = {k}" for k in KS)
        texts.append(f"With tolerance {tol}: {'; '.join(parts)}; uniform choice {uniform}.")
    return (
        "Two bar charts of the alignment hit rate, from 0 to 1, by the number K of dates in the source, for "
        f"two models and {len(seeds_of(data))} seeds, beside the rate of a position drawn uniformly. "
        + " ".join(texts)
    )
