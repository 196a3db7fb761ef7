"""What a trained model scores on unseen dates, as plain values ready for a data file.

One function for each data file's share of one model and seed. Leaves out: training, and what is put
into which file (`record.py`).
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import torch

from lab04 import evaluation as ev
from lab04.decoding import MAX_TARGET, beam_search, greedy_decode
from lab04.measured import BEAMS, PEAKED, TOLERANCES
from lab04.model import MODELS, Config, Seq2Seq
from lab04.task import KS, TARGET_TOKENS, Example, held_out_examples
from lab04.training import Budget, Run, new_run, train_step

SOURCES_PER_K = 500
BEAM_SOURCES = 200
CHUNK = 250  # sources decoded at once
EXAMPLE = Example("3 March 2021", "2021-03-03", ((0, 12),))


def training_record(run: Run, every: int = 20) -> dict[str, Any]:
    """Return a run's losses, thinned to the mean of every so many steps, and its time."""
    means = [sum(run.losses[i : i + every]) / every for i in range(0, len(run.losses) - every + 1, every)]
    return {
        "untrained_loss": run.untrained_loss,
        "final_loss": means[-1],
        "seconds": round(run.seconds, 1),
        "loss": {"step": [every * (i + 1) for i in range(len(means))], "value": means},
    }


def timed_step(run: Run) -> float:
    """Take one training step and return the process's own processor time for it, in ms."""
    start = time.process_time()
    train_step(run)
    return 1000 * (time.process_time() - start)


def step_times(steps: int = 40, warm_up: int = 4) -> dict[str, float]:
    """Return the median time of a training step on one processor core, in ms, for each model.

    The models take turns on the same batches, so that other work on the machine slows none more than the
    others.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    runs = {m: new_run(Config(m), Budget(), seed=0) for m in MODELS}
    times: dict[str, list[float]] = {m: [] for m in MODELS}
    for _ in range(warm_up + steps):
        for m, run in runs.items():
            times[m].append(timed_step(run))
    torch.set_num_threads(threads)
    return {m: round(statistics.median(values[warm_up:]), 1) for m, values in times.items()}


def greedy_texts(model: Seq2Seq, sources: list[str], max_len: int = MAX_TARGET) -> list[str]:
    """Return the greedy outputs, decoded a chunk at a time so that memory stays small."""
    chunks = [sources[i : i + CHUNK] for i in range(0, len(sources), CHUNK)]
    return [output.text for chunk in chunks for output in greedy_decode(model, chunk, max_len)]


def exact_match_record(model: Seq2Seq, n: int = SOURCES_PER_K) -> dict[str, Any]:
    """Return exact match, accuracy by date and a sample, for each K."""
    record: dict[str, Any] = {"exact_match": {}, "date_accuracy": {}, "sample": {}}
    for k in KS:
        examples = held_out_examples(k, n)
        golds = [e.target for e in examples]
        preds = greedy_texts(model, [e.source for e in examples], max_len=11 * k + 11)
        record["exact_match"][str(k)] = ev.exact_match(preds, golds)
        record["date_accuracy"][str(k)] = ev.date_accuracy(preds, golds)
        record["sample"][str(k)] = {"source": examples[0].source, "target": golds[0], "output": preds[0]}
    return record


def alignment_record(model: Seq2Seq, n: int = SOURCES_PER_K) -> dict[str, Any]:
    """Return the hit rate for each tolerance and K, and how peaked the rows are, under teacher forcing."""
    hits: dict[str, dict[str, float]] = {tol: {} for tol in TOLERANCES}
    row_max: dict[str, Any] = {}
    all_alphas, all_examples = [], []
    for k in KS:
        examples = held_out_examples(k, n)
        alphas = [
            a for i in range(0, n, CHUNK) for a in ev.teacher_forced_alphas(model, examples[i : i + CHUNK])
        ]
        for tol in TOLERANCES:
            hits[tol][str(k)] = ev.alignment_hit_rate(alphas, examples, int(tol))
        largest = torch.cat([a.max(dim=-1).values for a in alphas])
        row_max[str(k)] = {
            "mean": largest.mean().item(),
            "share_over_99": (largest > PEAKED).double().mean().item(),
            "quantiles": {str(q): torch.quantile(largest, q / 100).item() for q in (5, 25, 50, 75, 95)},
        }
        all_alphas += alphas
        all_examples += examples
    for tol in TOLERANCES:
        hits[tol]["overall"] = ev.alignment_hit_rate(all_alphas, all_examples, int(tol))
    return {"hit_rate": hits, "row_max": row_max}


def uniform_record(n: int = SOURCES_PER_K) -> dict[str, dict[str, float]]:
    """Return the hit rate that an arg-max drawn uniformly would have, for each tolerance and K."""
    by_k = {str(k): held_out_examples(k, n) for k in KS}
    by_k["overall"] = [e for examples in list(by_k.values()) for e in examples]
    return {
        tol: {k: ev.uniform_hit_rate(examples, int(tol)) for k, examples in by_k.items()}
        for tol in TOLERANCES
    }


def map_examples() -> list[tuple[str, Example]]:
    """Return the sources whose matrices are recorded: the chapter's example and three test sources."""
    return [("example", EXAMPLE)] + [(f"test-{k}", held_out_examples(k, 1)[0]) for k in (1, 2, 3)]


def map_record(model: Seq2Seq, example: Example) -> dict[str, Any]:
    """Return the greedy output of one source with its attention weights."""
    (output,) = greedy_decode(model, [example.source])
    assert output.alpha is not None
    return {
        "output": output.text,
        "tokens": [TARGET_TOKENS[t] for t in output.tokens],
        "correct": output.text == example.target,
        "alpha": output.alpha.tolist(),
    }


def beam_record(model: Seq2Seq, n: int = BEAM_SOURCES) -> dict[str, dict[str, float]]:
    """Return exact match and mean log-probability of the best output, for each beam size."""
    examples = [e for k in KS for e in held_out_examples(k, n // len(KS))]
    golds = [e.target for e in examples]
    record = {}
    for B in BEAMS:
        found = [beam_search(model, e.source, int(B)) for e in examples]
        record[B] = {
            "exact_match": ev.exact_match([text for text, _ in found], golds),
            "mean_log_prob": sum(value for _, value in found) / n,
        }
    return record
