"""Provenance: what counts as a change of the code, how data files are written, what `check` finds."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lab04.measured import MODELS
from lab04.provenance import check, code_hash, provenance, write_json
from lab04.report.data_check import problems
from sample_results import PROVENANCE, write_samples

CODE = '''"""A module."""
RATE = 0.1
NAMES = ["a", None]


def double(x: float, *, times: int = 2) -> float:
    """Return x, doubled."""
    # with a comment
    return x * times
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with one module, one list of formats and one data file made by them."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(CODE)
    (tmp_path / "src" / "formats.json").write_text('{"first_year": 1900}')
    block = provenance("make lab", {"lr": 1e-8}, [0, 1], ["src/a.py", "src/formats.json"], root=tmp_path)
    write_json(tmp_path / "data" / "one.json", {"provenance": block, "value": 1.0})
    return tmp_path


def hash_of(root: Path, code: str) -> str:
    (root / "src" / "a.py").write_text(code)
    return code_hash(["src/a.py"], root)


@pytest.mark.parametrize(
    "same",
    [
        CODE.replace("# with a comment", "# with another").replace("A module", "The module"),
        CODE.replace('    """Return x, doubled."""\n', ""),
        CODE.replace('["a", None]', "[\n    'a',  # one\n    None,\n]"),
        CODE.replace("x * times", "(x\n            * times)"),
        CODE.replace("RATE = 0.1", "RATE = 0.10"),
        CODE + '\n"a note at the end"\n',
    ],
)
def test_comments_docstrings_and_layout_do_not_count(root: Path, same: str) -> None:
    assert same != CODE
    assert hash_of(root, same) == hash_of(root, CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.1", "0.2"),
        ("0.1", '"0.1"'),
        ("None", "0"),
        ("times: int = 2", "times: int = 3"),
        ("times: int = 2", "times: int"),
        ("x * times", "x + times"),
        ("x * times", "-x * times"),
        ("*, times", "times"),
        ("RATE", "SPEED"),
        ('"a"', '"A"'),
        ("return x", "yield x"),
    ],
)
def test_what_the_code_does_counts(root: Path, old: str, new: str) -> None:
    assert hash_of(root, CODE.replace(old, new)) != hash_of(root, CODE)


def test_the_order_of_files_does_not_count_but_their_names_do(root: Path) -> None:
    files = ["src/a.py", "src/formats.json"]
    assert code_hash(files, root) == code_hash([root / "src" / "formats.json", root / "src" / "a.py"], root)
    (root / "src" / "b.py").write_text(CODE)
    assert code_hash(["src/a.py"], root) != code_hash(["src/b.py"], root)


def test_json_counts_by_its_values(root: Path) -> None:
    path = root / "src" / "formats.json"
    before = code_hash(["src/formats.json"], root)
    path.write_text('{\n  "first_year": 1900\n}\n')
    assert code_hash(["src/formats.json"], root) == before
    path.write_text('{"first_year": 1901}')
    assert code_hash(["src/formats.json"], root) != before


KINDS = r'''import math
from collections.abc import Iterator

LIMIT: float = 1e-3
NAMES = {"a": (1, 2.5, 3j), "b": [None, True, ...], "c": b"\x00"}


class Thing(dict):
    """A class."""

    def __init__(self, a: int, /, *rest: int, key: str = "k", **more: object) -> None:
        self.a, self.rest = a, [r for r in rest if r]

    @property
    def name(self) -> str:
        """A formatted string, whose tree has changed between versions before."""
        return f"{self.a:>{len(NAMES)}} {self.rest!r} {math.pi:.3f}" " and more"


async def walk(n: int) -> None:
    """Statements."""
    global LIMIT
    while n > 0:
        n -= 1
        try:
            assert n, "zero"
        except (AssertionError, *[ValueError]) as error:
            raise SystemExit from error
        finally:
            LIMIT = -LIMIT


def match_it(x: object) -> Iterator[int]:
    """A match statement, a walrus and a lambda."""
    match x:
        case {"a": int(y), **_rest} if (z := y) > 1:
            yield from (lambda: [z])()
        case [1, *_] | None:
            yield 0
        case _:
            pass
'''


def test_the_hash_is_this_one_on_every_machine_and_every_python(tmp_path: Path) -> None:
    """A hash that depends on the interpreter would call every data file stale after an upgrade."""
    (tmp_path / "kinds.py").write_text(KINDS)
    expected = "7465ddc9f073433e52e7755dd5aa16e273d20a6dc91c1afa219ef6d9a3a828db"
    assert code_hash(["kinds.py"], tmp_path) == expected


def test_the_provenance_block_says_how_to_make_it_again(root: Path) -> None:
    block = json.loads((root / "data" / "one.json").read_text())["provenance"]
    assert block["command"] == "make lab"
    assert block["config"] == {"lr": 1e-8}
    assert block["seeds"] == [0, 1]
    assert block["code"]["files"] == ["src/a.py", "src/formats.json"]
    assert set(block["versions"]) == {"python", "torch", "numpy"}
    assert len(block["date"]) == 10


def test_importing_needs_no_torch() -> None:
    code = "import lab04.report.drawing, lab04.report.data_check, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_written_data_are_the_same_bytes_whatever_the_order(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": [1.23456789, -0.0000001], "a": {"x": 1, "é": "ü"}})
    write_json(tmp_path / "b.json", {"a": {"é": "ü", "x": 1}, "b": (1.2345678, 0.0)})
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.json").read_text(encoding="utf-8")
    assert text == '{\n "a": {\n  "x": 1,\n  "é": "ü"\n },\n "b": [1.234568, 0.0]\n}\n'


def test_settings_are_not_rounded(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"config": {"eps": 1e-8}, "value": 1e-8})
    assert json.loads((tmp_path / "a.json").read_text()) == {"config": {"eps": 1e-8}, "value": 0.0}


@pytest.mark.parametrize(
    ("value", "error", "place"),
    [
        (float("nan"), ValueError, r"m\[1\]"),
        (float("inf"), ValueError, r"m\[1\]"),
        ({1, 2}, TypeError, r"m\[1\] is a set"),
    ],
)
def test_a_value_that_is_no_json_is_refused_and_the_old_file_stays(
    tmp_path: Path, value: Any, error: type[Exception], place: str
) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"m": 1})
    before = path.read_bytes()
    with pytest.raises(error, match=place):
        write_json(path, {"m": [0, value]})
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_fresh_data_file_is_not_stale(root: Path) -> None:
    assert check(root / "data", root) == []


def test_a_data_file_is_stale_when_its_code_has_changed(root: Path) -> None:
    (root / "src" / "a.py").write_text(CODE.replace("0.1", "0.2"))
    (found,) = check(root / "data", root)
    assert found.file == "data/one.json"
    assert "src/a.py" in found.reason
    assert "changed" in found.reason
    assert "`make lab`" in str(found)


def test_a_data_file_is_stale_when_its_code_is_gone(root: Path) -> None:
    (root / "src" / "a.py").unlink()
    (found,) = check(root / "data", root)
    assert found.reason == "src/a.py, which made it, is gone"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"provenance": null}', '{"provenance": {"code": []}}'])
def test_a_data_file_without_provenance_is_reported(root: Path, content: str) -> None:
    (root / "data" / "two.json").write_text(content)
    (found,) = check(root / "data", root)
    assert found.file == "data/two.json"
    assert "provenance cannot be read" in found.reason


@pytest.fixture
def whole(root: Path) -> Path:
    """A data folder with everything in it, sound."""
    data = root / "whole"
    block = PROVENANCE | {"code": {"files": ["src/a.py"], "sha256": code_hash(["src/a.py"], root)}}
    write_samples(data, block=block)
    (data / "weights").mkdir()
    for model in MODELS:
        numbers = bytes(range(48))
        (data / "weights" / f"lab04_{model}.bin").write_bytes(numbers)
        manifest = {
            "provenance": block,
            "config": {},
            "dtype": "float16",
            "tensors": [
                {"name": "W_o", "shape": [4, 5], "offset": 0, "length": 20},
                {"name": "b_o", "shape": [4], "offset": 20, "length": 4},
            ],
            "sha256": hashlib.sha256(numbers).hexdigest(),
            "bytes": 48,
            "file": f"lab04_{model}.bin",
        }
        write_json(data / "weights" / f"lab04_{model}.json", manifest)
    return data


def found_in(whole: Path) -> list[str]:
    return [str(problem) for problem in problems(whole, whole.parent)]


def test_a_sound_data_folder_has_no_problems(whole: Path) -> None:
    assert found_in(whole) == []


def test_a_change_of_the_code_makes_every_file_stale(whole: Path) -> None:
    (whole.parent / "src" / "a.py").write_text("x = 1")
    assert len(found_in(whole)) == 5 + len(MODELS)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        (bytes(48), "lab04_dot.bin has changed: its sha256"),
        (bytes(range(47)), "lab04_dot.bin has 47 bytes, and the manifest says 48"),
        (None, "lab04_dot.bin, which holds the numbers, is missing"),
    ],
)
def test_spoilt_weights_are_found(whole: Path, numbers: bytes | None, reason: str) -> None:
    path = whole / "weights" / "lab04_dot.bin"
    if numbers is None:
        path.unlink()
    else:
        path.write_bytes(numbers)
    (found,) = found_in(whole)
    assert reason in found
    assert found.startswith("whole/weights/lab04_dot.json: ")
    assert "`make lab`" in found


@pytest.mark.parametrize(
    ("old", "new", "reasons"),
    [
        ("[4, 5]", "[4, 6]", ("the tensor W_o", "the tensor b_o", "the tensors make 56 bytes")),
        ('"length": 20', '"length": 40', ("the tensor W_o of shape [4, 5] has offset and length (0, 40)",)),
        ('"offset": 20', '"offset": 18', ("(18, 4), and they must be (20, 4)",)),
        ('"offset": 20', '"offset": 22', ("(22, 4), and they must be (20, 4)",)),
        ('"float16"', '"float32"', ("must be 'float16'",)),
    ],
)
def test_a_manifest_that_does_not_fit_its_file_is_found(
    whole: Path, old: str, new: str, reasons: tuple[str, ...]
) -> None:
    path = whole / "weights" / "lab04_plain.json"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    found = found_in(whole)
    assert len(found) == len(reasons)
    for problem, reason in zip(found, reasons, strict=True):
        assert reason in problem


def test_weights_over_the_limit_are_found(whole: Path) -> None:
    numbers = bytes(700_000)
    (whole / "weights" / "lab04_dot.bin").write_bytes(numbers)
    assert any("the limit is 600,000" in found for found in found_in(whole))


def test_missing_and_malformed_results_are_found(whole: Path) -> None:
    (whole / "lab04_beam.json").unlink()
    (whole / "lab04_training.json").write_text("{")
    found = found_in(whole)
    assert any(f.startswith("whole/lab04_beam.json: the file is missing") for f in found)
    assert any(f.startswith("whole/lab04_training.json: it is not valid JSON") for f in found)
    assert len(found) == 2


def test_the_script_says_what_is_wrong_and_fails(whole: Path) -> None:
    script = Path(__file__).parents[2] / "scripts" / "check_data.py"
    done = subprocess.run(
        [sys.executable, script, "--data", whole], capture_output=True, text=True, check=False
    )
    # The code that these files name is not in the book's repository.
    assert done.returncode == 1
    assert "whole/lab04_beam.json: src/a.py, which made it, is gone. Run `make lab`" in done.stderr
