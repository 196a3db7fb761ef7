"""Write tests/golden/attention.json: attention as plain torch in float64, the oracle of all others.

Independent of src/lab04, the browser code and numpy code that are compared with it: the formulas stand
here once more, one query and one position at a time. `--check` compares with the file on disk and
writes nothing.

A case has queries [B, T, d_q], keys [B, S, d_k], mask [B, S] (true = real position) and gives scores
[B, T, S] (before the mask), weights [B, T, S] and context [B, T, d_k]. Left out: gradients.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden" / "attention.json"
DIGITS = 12  # significant digits written: coarser than any difference between CPUs, finer than any tolerance


def score_pair(kind: str, q: Tensor, k: Tensor, p: dict[str, Tensor]) -> Tensor:
    """The score of one query [d_q] and one key [d_k], a scalar."""
    if kind == "dot":
        return (q * k).sum()
    if kind == "general":
        return q @ (p["W_a"] @ k)
    return p["v"] @ torch.tanh(p["W_q"] @ q + p["W_k"] @ k + p["b"])


def read_row(scores: Tensor, keys: Tensor, real: list[bool]) -> tuple[Tensor, Tensor]:
    """Weights [S] and context [d_k] of one query: padding is selected away, an empty row reads nothing."""
    weights = torch.zeros_like(scores)
    places = [i for i, is_real in enumerate(real) if is_real]
    if places:
        weights[places] = torch.softmax(scores[places], dim=0)
    context = torch.zeros(keys.shape[1], dtype=keys.dtype)
    for i in places:
        context = context + weights[i] * keys[i]
    return weights, context


def solve(
    name: str, kind: str, q: Tensor, keys: Tensor, mask: list[list[bool]], **p: Tensor
) -> dict[str, Any]:
    """A case with its answers."""
    scores = torch.stack(
        [
            torch.stack([torch.stack([score_pair(kind, row, k, p) for k in keys[b]]) for row in q[b]])
            for b in range(len(q))
        ]
    )
    pairs = [[read_row(row, keys[b], mask[b]) for row in scores[b]] for b in range(len(q))]
    weights = torch.stack([torch.stack([pair[0] for pair in rows]) for rows in pairs])
    context = torch.stack([torch.stack([pair[1] for pair in rows]) for rows in pairs])
    given = {"name": name, "score": kind, "queries": q, "keys": keys, "mask": mask, "parameters": p}
    return {**given, "scores": scores, "weights": weights, "context": context}


class Draw:
    """Normal numbers with three decimals, from one seed."""

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, *shape: int, scale: float = 1.0) -> Tensor:
        """Draw a tensor of this shape."""
        numbers = torch.randn(*shape, generator=self.generator, dtype=torch.float64) * scale
        return torch.round(numbers * 1000) / 1000


def lengths(counts: list[int], size: int) -> list[list[bool]]:
    """A mask [B, S] with that many real positions at the start of each row."""
    return [[i < count for i in range(size)] for count in counts]


def additive(draw: Draw, d_a: int, d_q: int, d_k: int, bias: bool = True) -> dict[str, Tensor]:
    """Parameters of the additive score."""
    b = draw(d_a) if bias else torch.zeros(d_a, dtype=torch.float64)
    return {"W_q": draw(d_a, d_q), "W_k": draw(d_a, d_k), "b": b, "v": draw(d_a)}


def cases(draw: Draw) -> list[dict[str, Any]]:
    """All cases of the attention step."""
    full = lengths([4, 4], 4)
    holes = [[True, False, True, False], [False, True, True, True]]
    tie = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]], dtype=torch.float64)
    level = torch.tensor([[[0.5, 0.5], [2.0, -1.0], [0.0, 0.0]]], dtype=torch.float64)
    return [
        solve("dot", "dot", draw(2, 3, 3), draw(2, 4, 3), full),
        solve("general, widths differ", "general", draw(2, 2, 3), draw(2, 4, 2), full, W_a=draw(3, 2)),
        solve(
            "additive, widths differ",
            "additive",
            draw(2, 2, 3),
            draw(2, 4, 2),
            full,
            **additive(draw, 5, 3, 2),
        ),
        solve(
            "additive without bias",
            "additive",
            draw(2, 3, 4),
            draw(2, 4, 4),
            full,
            **additive(draw, 3, 4, 4, False),
        ),
        solve("dot, lengths 4, 2, 1", "dot", draw(3, 2, 3), draw(3, 4, 3), lengths([4, 2, 1], 4)),
        solve("dot, padding in the middle", "dot", draw(2, 2, 3), draw(2, 4, 3), holes),
        solve("dot, an empty row between others", "dot", draw(3, 2, 3), draw(3, 4, 3), lengths([3, 0, 4], 4)),
        solve(
            "additive, an empty row",
            "additive",
            draw(2, 2, 3),
            draw(2, 4, 3),
            lengths([0, 2], 4),
            **additive(draw, 4, 3, 3, False),
        ),
        solve(
            "dot, large scores", "dot", draw(1, 3, 3, scale=40.0), draw(1, 4, 3, scale=40.0), lengths([4], 4)
        ),
        solve(
            "dot, the largest score at padding",
            "dot",
            draw(1, 1, 2, scale=0.5),
            torch.cat([draw(1, 3, 2), draw(1, 1, 2, scale=500.0)], dim=1),
            lengths([3], 4),
        ),
        solve("dot, one position", "dot", draw(2, 2, 3), draw(2, 1, 3), lengths([1, 1], 1)),
        solve("dot, ties", "dot", draw(1, 2, 2), tie, lengths([4], 4)),
        solve("dot, zero query: all equal", "dot", level, draw(1, 4, 2) * 0, lengths([3], 4)),
    ]


def combinations(draw: Draw) -> list[dict[str, Any]]:
    """Cases of the combination layer tanh(W_c [s; context] + b_c)."""
    rows = []
    for d_h, d_k, d_out in ((3, 3, 3), (2, 4, 5)):
        s, context, W_c, b_c = draw(d_h), draw(d_k), draw(d_out, d_h + d_k), draw(d_out)
        answer = torch.tanh(W_c @ torch.cat([s, context]) + b_c)
        rows.append({"s": s, "context": context, "W_c": W_c, "b_c": b_c, "combined": answer})
    return rows


def plain(value: Any) -> Any:
    """Tensors as nested lists of numbers with DIGITS significant digits."""
    if isinstance(value, Tensor):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") + 0.0
    return value


def golden_text() -> str:
    """The file's content; the same bytes on every run."""
    draw = Draw(seed=5)
    content = {"oracle": "scripts/make_golden.py", "cases": cases(draw), "combinations": combinations(draw)}
    return json.dumps(plain(content), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the file, or with --check say whether it is what this script would write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare with the file and write nothing")
    args = parser.parse_args()
    text = golden_text()
    if not args.check:
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(text, encoding="utf-8")
        print(f"wrote {GOLDEN.name}: {len(text)} bytes")
        return 0
    same = GOLDEN.is_file() and GOLDEN.read_text(encoding="utf-8") == text
    state = "is up to date" if same else "differs: run scripts/make_golden.py and read the diff"
    print(f"{GOLDEN.name} {state}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
