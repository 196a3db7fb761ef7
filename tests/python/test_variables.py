"""The numbers in the prose: rounding, spreads, and that every variable quoted is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab04.report.variables import to_yaml, variables
from lab04.report.wording import decimal, grouped, listed, short, spread
from sample_results import samples

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.5, 3, "0.500"),
        (0.12345, 3, "0.123"),
        (1.0, 3, "1.000"),
        (0.0, 3, "0.000"),
        (0.9994, 3, "0.999"),
        (0.9996, 3, "0.9996"),
        (0.99996, 3, "0.99996"),
        (0.999999, 3, "0.999999"),
        (0.0004, 3, "0.0004"),
        (0.00041, 3, "0.0004"),
        (0.000001, 3, "0.000001"),
        (0.996, 2, "0.996"),
        (0.004, 2, "0.004"),
        (2.708, 2, "2.71"),
        (1.0004, 3, "1.0004"),
        (-0.0007, 4, "\u22120.0007"),
        (-0.00004, 4, "\u22120.00004"),
        (5.04, 1, "5.0"),
    ],
)
def test_no_number_is_rounded_to_zero_or_one(value: float, places: int, text: str) -> None:
    assert decimal(value, places) == text


def test_spreads() -> None:
    assert spread([0.996, 0.95, 0.962]) == "0.950 to 0.996"
    assert spread([0.9962, 0.9958]) == "0.996"
    assert spread([1.0, 1.0]) == "1.000"
    assert spread([1.0, 0.9998]) == "0.9998 to 1.000"
    assert spread([0.0, 0.0001]) == "0.000 to 0.0001"


def test_small_words() -> None:
    assert grouped(1234567) == "1,234,567"
    assert [listed(items) for items in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert [short(v) for v in (0, 1.0, 0.9996, 0.5)] == ["0", "1", "0.9996", "0.500"]


@pytest.fixture
def tree() -> dict[str, Any]:
    return variables(samples())["lab04"]


def leaves(tree: dict[str, Any], path: str = "") -> dict[str, Any]:
    found = {}
    for key, value in tree.items():
        found |= leaves(value, f"{path}{key}.") if isinstance(value, dict) else {f"{path}{key}": value}
    return found


def test_every_value_is_a_string_ready_to_print(tree: dict[str, Any]) -> None:
    for name, value in leaves(tree).items():
        assert isinstance(value, str), name
        assert value, name
        assert value == value.strip(), name
        assert "nan" not in value.split()


def test_every_variable_that_a_page_quotes_is_there(tree: dict[str, Any]) -> None:
    pages = [ROOT / "index.qmd", *(ROOT / "chapters").glob("*.qmd")]
    quoted = {name for page in pages for name in re.findall(r"{{< var lab04\.(\S+) >}}", page.read_text())}
    assert len(quoted) > 40
    assert quoted - set(leaves(tree)) == set()


def test_the_numbers_are_those_of_the_data(tree: dict[str, Any]) -> None:
    found = leaves(tree)
    expected = {
        "config.steps": "4,000",
        "config.seeds": "3",
        "config.tokens": "15",
        "config.ln_tokens": "2.708",
        "config.formats": "10",
        "params.dot": "196,303",
        "minutes.plain": "5.5",
        "untrained.lowest": "2.700",
        "untrained.highest": "2.720",
        "em.plain.k1.s1": "0.962",
        "em.plain.k1.spread": "0.052 to 0.996",
        "em.plain.k3.spread": "0.000",
        "em.dot.k1.spread": "1.000",
        "em.additive.k4.spread": "0.992 to 1.000",
        "plain.first_date.k2.spread": "0.100 to 0.960",
        "plain.later_dates.high": "0.004",
        "hit.dot.tol0.k2.spread": "0.998 to 0.9999",
        "hit.dot.tol1.overall.spread": "0.9996",
        "uniform.tol0.k4": "0.220",
        "example.dot.rows": "11",
        "example.dot.peaked": "8",
        "example.dot.output": "2021-03-03",
        "beam.dot.b3.em": "1.000",
        "beam.dot.b3.log_prob": "\u22120.0007",
        "beam.sources": "200",
    }
    assert {name: found[name] for name in expected} == expected


def test_the_file_is_yaml_that_says_the_same(tree: dict[str, Any], tmp_path: Path) -> None:
    text = to_yaml({"lab04": tree})
    assert yaml.safe_load(text) == {"lab04": tree}
    assert text == to_yaml({"lab04": dict(reversed(tree.items()))})
