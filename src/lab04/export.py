"""Trained weights for the browser: half-precision numbers in one file, and a manifest beside it.

The embedding and the input weights of each GRU are multiplied into one table, a row of gate inputs
per token; that is exact and smaller. Leaves out: the arithmetic that uses the weights.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from lab04.gru import GRU
from lab04.model import Seq2Seq

DTYPE = np.dtype("<f2")


@torch.no_grad()
def browser_tensors(model: Seq2Seq) -> dict[str, torch.Tensor]:
    """Return the tensors that decoding needs, by name; gates stand in the order reset, update, new."""

    def cell(name: str, embedding: torch.nn.Embedding, gru: GRU) -> dict[str, torch.Tensor]:
        weight = dict(gru.named_parameters())
        return {
            f"{name}.input_table": embedding.weight @ weight["weight_ih_l0"].T
            + weight["bias_ih_l0"],  # [V, 3 d_h]
            f"{name}.W_hh": weight["weight_hh_l0"],  # [3 d_h, d_h]
            f"{name}.b_hh": weight["bias_hh_l0"],  # [3 d_h]
        }

    tensors = cell("encoder", model.src_emb, model.enc) | cell("decoder", model.tgt_emb, model.dec)
    if model.config.score == "additive":
        tensors |= {"W_q": model.W_q.weight, "W_k": model.W_k.weight, "u": model.u.weight[0]}
    if model.config.score != "plain":
        tensors |= {"W_c": model.W_c.weight, "b_c": model.W_c.bias}
    return tensors | {"W_o": model.W_o.weight, "b_o": model.W_o.bias}


def export_weights(model: Seq2Seq, path: Path) -> dict[str, Any]:
    """Write `path` (one tensor after the other, row by row) and return the manifest that describes it.

    Offsets and lengths count numbers, not bytes. Raises ValueError when a weight does not fit in
    half precision.
    """
    entries, parts, offset = [], [], 0
    for name, tensor in browser_tensors(model).items():
        with np.errstate(over="ignore"):  # an overflow becomes an infinity, which is refused below
            array = tensor.detach().numpy().astype(DTYPE)
        if not np.isfinite(array).all():
            raise ValueError(
                f"{name} holds a value that half precision cannot hold; train anew or export as float32."
            )
        entries.append({"name": name, "shape": list(array.shape), "offset": offset, "length": array.size})
        parts.append(array.tobytes())
        offset += array.size
    data = b"".join(parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    os.replace(temporary, path)
    return {
        "model": model.config.score,
        "dtype": "float16",
        "byte_order": "little",
        "tensors": entries,
        "file": path.name,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def read_weights(manifest: Path) -> dict[str, NDArray[np.float16]]:
    """Return the exported tensors by name; ValueError when the file does not match its manifest."""
    described = json.loads(manifest.read_text(encoding="utf-8"))
    data = (manifest.parent / described["file"]).read_bytes()
    if hashlib.sha256(data).hexdigest() != described["sha256"]:
        raise ValueError(f"{described['file']} does not match its manifest {manifest.name}; run `make lab`.")
    numbers = np.frombuffer(data, dtype=DTYPE)
    return {
        t["name"]: numbers[t["offset"] : t["offset"] + t["length"]].reshape(t["shape"])
        for t in described["tensors"]
    }
