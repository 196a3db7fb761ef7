"""The exported weights: numpy alone decodes from them what torch decodes from the model."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from lab04.decoding import greedy_decode
from lab04.export import export_weights, read_weights
from lab04.model import MODELS, Config, Seq2Seq
from lab04.task import BOS, EOS, source_ids, target_text


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru_step(w, name, token, h):
    """One step of a GRU from the exported table of gate inputs."""
    r_i, z_i, n_i = np.split(w[f"{name}.input_table"][token], 3)
    r_h, z_h, n_h = np.split(w[f"{name}.W_hh"] @ h + w[f"{name}.b_hh"], 3)
    r, z = sigmoid(r_i + r_h), sigmoid(z_i + z_h)
    n = np.tanh(n_i + r * n_h)
    return (1 - z) * n + z * h


def decode(w, model, source, limit):
    """Greedy decoding as a page would do it."""
    states, h = [], np.zeros(w["encoder.b_hh"].size // 3)
    for token in source_ids(source):
        h = gru_step(w, "encoder", token, h)
        states.append(h)
    keys, out, token = np.array(states), [], BOS
    while token != EOS and len(out) < limit:
        h = read = gru_step(w, "decoder", token, h)
        if model != "plain":
            scores = keys @ h if model == "dot" else np.tanh(keys @ w["W_k"].T + w["W_q"] @ h) @ w["u"]
            alpha = np.exp(scores - scores.max())
            context = alpha / alpha.sum() @ keys
            read = np.tanh(w["W_c"] @ np.concatenate([h, context]) + w["b_c"])
        token = int(np.argmax(w["W_o"] @ read + w["b_o"]))
        out.append(token)
    return target_text(out)


def export(model: Seq2Seq, folder: Path) -> Path:
    manifest = export_weights(model, folder / "m.bin")
    path = folder / "m.json"
    path.write_text(json.dumps(manifest))
    return path


@pytest.mark.parametrize("score", MODELS)
def test_numpy_decodes_from_the_file_what_torch_decodes(score, tmp_path):
    torch.manual_seed(0)
    model = Seq2Seq(Config(score, d_emb=8, d_h=16, d_a=6))
    for p in model.parameters():
        p.data = (3 * p.data).half().float()  # far from ties, and exact in half precision
    weights = {k: v.astype(np.float64) for k, v in read_weights(export(model, tmp_path)).items()}
    sources = ["3 March 2021", "May 12, 2020; 2021/3/3", "Wednesday, 3 March 2021"]
    wanted = [g.text for g in greedy_decode(model, sources, max_len=12)]
    assert [decode(weights, score, s, 12) for s in sources] == wanted
    assert len(set(wanted)) > 1


def test_a_changed_byte_is_noticed(tmp_path):
    path = export(Seq2Seq(Config("plain", d_emb=4, d_h=4)), tmp_path)
    data = bytearray((tmp_path / "m.bin").read_bytes())
    data[7] ^= 1
    (tmp_path / "m.bin").write_bytes(data)
    with pytest.raises(ValueError, match=r"m\.bin does not match its manifest"):
        read_weights(path)


def test_a_weight_beyond_half_precision_is_refused(tmp_path):
    model = Seq2Seq(Config("plain", d_emb=4, d_h=4))
    model.W_o.bias.data[0] = 1e6
    with pytest.raises(ValueError, match="b_o holds a value"):
        export_weights(model, tmp_path / "m.bin")
    assert not (tmp_path / "m.bin").exists()


def test_the_manifest_covers_the_file(tmp_path):
    model = Seq2Seq(Config("additive", d_emb=4, d_h=6, d_a=3))
    manifest = export_weights(model, tmp_path / "m.bin")
    ends = [t["offset"] + t["length"] for t in manifest["tensors"]]
    assert [t["offset"] for t in manifest["tensors"]] == [0, *ends[:-1]]
    assert 2 * ends[-1] == manifest["bytes"] == (tmp_path / "m.bin").stat().st_size
