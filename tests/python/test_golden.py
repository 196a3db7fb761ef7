"""The golden attention cases: written by their oracle, and met by the formula in numpy.

The torch lab and the browser code meet the same file in test_lab_attention.py and tests/js/golden.test.js.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "attention.json").read_text(encoding="utf-8"))
TOLERANCE = 1e-9  # float64 against twelve digits
CASES = pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])


def numpy_scores(kind: str, q: np.ndarray, keys: np.ndarray, p: dict[str, Any]) -> np.ndarray:
    """Scores [B, T, S] of queries [B, T, d_q] and keys [B, S, d_k], in one expression per score."""
    if kind == "dot":
        return np.einsum("btd,bsd->bts", q, keys)
    if kind == "general":
        return np.einsum("btq,qk,bsk->bts", q, np.array(p["W_a"]), keys)
    hidden = (
        (q @ np.array(p["W_q"]).T)[:, :, None] + (keys @ np.array(p["W_k"]).T)[:, None] + np.array(p["b"])
    )
    return np.tanh(hidden) @ np.array(p["v"])


def numpy_weights(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Masked softmax over the last axis; a row without a real position is all 0."""
    masked = np.where(mask[:, None, :], scores, -np.inf)  # [B, T, S]
    top = masked.max(axis=-1, keepdims=True)
    exps = np.exp(masked - np.where(np.isfinite(top), top, 0))
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total > 0, total, 1)


@CASES
def test_numpy_meets_the_golden_case(case: dict[str, Any]) -> None:
    q, keys, mask = np.array(case["queries"]), np.array(case["keys"]), np.array(case["mask"])
    scores = numpy_scores(case["score"], q, keys, case["parameters"])
    np.testing.assert_allclose(scores, case["scores"], rtol=TOLERANCE, atol=TOLERANCE)
    weights = numpy_weights(scores, mask)
    np.testing.assert_allclose(weights, case["weights"], rtol=TOLERANCE, atol=TOLERANCE)
    np.testing.assert_allclose(weights @ keys, case["context"], rtol=TOLERANCE, atol=TOLERANCE)


@CASES
def test_golden_weights_are_weights(case: dict[str, Any]) -> None:
    mask = np.array(case["mask"])
    weights = np.array(case["weights"])
    real = mask.any(axis=-1)[:, None] * np.ones(weights.shape[1])
    np.testing.assert_allclose(weights.sum(axis=-1), real, atol=TOLERANCE)
    assert (weights[~np.broadcast_to(mask[:, None], weights.shape)] == 0).all()


def test_the_file_is_what_its_oracle_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    oracle = __import__("make_golden")
    monkeypatch.setattr(sys, "argv", ["make_golden.py", "--check"])
    assert oracle.main() == 0
