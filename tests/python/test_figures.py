"""The figures: the same bytes every time, legible in both modes, described in words, never from bad data."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from lab04.measured import ATTENTION
from lab04.report.alt_texts import alt_texts
from lab04.report.colours import (
    DARK,
    LEVELS,
    LIGHT,
    THEME,
    Palette,
    Themed,
    contrast,
    luminance,
    on_shade,
    shade,
)
from lab04.report.drawing import draw_all, snippet
from lab04.report.plots import plot_attention
from lab04.report.results import DataError, load
from lab04.report.wording import spans
from sample_results import samples, write_samples

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "make_figures_04.py"
NAMES = ("attention_example", "attention_tests", "exact_match", "hit_rate", "loss")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything drawn from the samples, with a data folder beside it."""
    out = tmp_path_factory.mktemp("drawn")
    draw_all(write_samples(out / "data"), out)
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_everything_that_the_chapters_need_is_written(drawn: Path) -> None:
    written = {name for name in contents(drawn) if not name.startswith("data/")}
    expected = {f"figures/lab04_{name}.svg" for name in NAMES} | {
        f"figures/_lab04_{name}.md" for name in NAMES
    }
    assert written == expected | {"figures/lab04_attention_example.plotly.json", "_variables.yml"}


def test_another_process_with_other_hashes_writes_the_same_bytes(drawn: Path, tmp_path: Path) -> None:
    command = [sys.executable, SCRIPT, "--data", drawn / "data", "--out", tmp_path]
    environment = os.environ | {"PYTHONHASHSEED": "12345", "TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    here = {name: data for name, data in contents(drawn).items() if not name.startswith("data/")}
    assert contents(tmp_path) == here
    for name in here:
        assert name in done.stdout


def test_a_second_run_in_the_same_process_writes_the_same_and_touches_nothing(drawn: Path) -> None:
    before = contents(drawn)
    times = {p: p.stat().st_mtime_ns for p in drawn.rglob("*")}
    with mpl.rc_context({"font.size": 40, "axes.grid": True, "svg.fonttype": "none"}):
        draw_all(drawn / "data", drawn)
    assert contents(drawn) == before
    assert {p: p.stat().st_mtime_ns for p in drawn.rglob("*")} == times


@pytest.mark.parametrize("name", NAMES)
def test_an_svg_stands_by_itself(name: str, drawn: Path) -> None:
    svg = (drawn / "figures" / f"lab04_{name}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert root.get("width") == "640"
    assert len(svg) < 80_000
    assert "@media (prefers-color-scheme:dark)" in svg
    assert "<text" not in svg
    assert not re.search(
        r"https?://(?!www\.w3\.org/)|@import|<script|<image|matplotlib|\d{4}-\d\d-\d\dT", svg
    )
    ids = re.findall(r'id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    for used in re.findall(r'(?:href="|url\()#([^")]+)', svg):
        assert used in ids


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_has_a_light_and_a_dark_value(name: str, drawn: Path) -> None:
    """No colour stands in the drawing itself: it would be wrong in one of the two modes."""
    svg = (drawn / "figures" / f"lab04_{name}.svg").read_text(encoding="utf-8")
    style, drawing = svg.split("</style>")
    assert not re.search(r"#[0-9a-f]{6}\b(?!\d*[\")])", re.sub(r'"[^"]*#[A-Za-z][^"]*"', "", drawing))
    used = set(re.findall(r"var\((--c\d+)\)", drawing))
    light, dark = (set(re.findall(r"(--c\d+):#", part)) for part in style.split("@media"))
    assert used <= light
    assert light == dark
    assert len(used) > 3


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_shading_reads_in_greyscale(colours: dict[str, str]) -> None:
    steps = [luminance(shade(i, colours)) for i in range(LEVELS + 1)]
    assert steps == sorted(steps, reverse=colours is LIGHT)
    assert len(set(steps)) == len(steps)
    assert abs(steps[0] - steps[-1]) > 0.7


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_numbers_and_text_stand_out(colours: dict[str, str]) -> None:
    for step in range(LEVELS + 1):
        assert contrast(on_shade(step, colours), shade(step, colours)) >= 4.5
    for role in ("ink", "muted"):
        assert contrast(colours[role], colours["paper"]) >= 4.5
    for role in ("plain", "dot", "additive"):
        assert contrast(colours[role], colours["paper"]) >= 3
    assert contrast(colours["dot"], colours["additive"]) >= 1.5


def test_the_colours_that_the_site_has_too_are_the_same_there() -> None:
    tokens = (ROOT / "src" / "bookbuild" / "theme" / "tokens.css").read_text(encoding="utf-8")
    pairs = dict(re.findall(r"--([\w-]+): (light-dark\(.*?\));", tokens))
    for role, token in THEME.items():
        assert pairs[token] == f"light-dark({LIGHT[role]}, {DARK[role]})", role


def test_the_diagrams_have_the_colours_of_the_book() -> None:
    """What a class of theirs names is defined, for light and for dark, and no other colour is written."""
    for name in ("encoder_decoder", "attention_step"):
        svg = (ROOT / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        light, dark = (dict(re.findall(r"--(\w+): (#\w+);", part)) for part in svg.split("@media"))
        assert light == {role: LIGHT[role] for role in light}
        assert dark == {role: DARK[role] for role in light}
        assert set(re.findall(r"var\(--(\w+)\)", svg)) == set(light)
        assert set(re.findall(r"#[0-9a-f]{6}", svg)) == {*light.values(), *dark.values()}


def test_stand_ins_give_each_pair_one_colour() -> None:
    palette = Themed()
    first, second = palette.role("ink"), palette.cell(1.0)
    assert palette.role("ink") == first != second
    assert palette.pairs == [(LIGHT["ink"], DARK["ink"]), (LIGHT["full"], DARK["full"])]


def axes() -> Any:
    return Figure().add_subplot()


def printed(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_the_heat_map_prints_the_weights_from_a_tenth_on() -> None:
    ax = plot_attention([[0.0999, 0.8, 0.1001], [1.0, 0.0, 0.0]], "a b", ["2", "<eos>"], axes())
    assert printed(ax) == ["0.80", "0.10", "1.00"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "", "b"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["2", "end"]
    assert ax.yaxis_inverted()


def test_the_heat_map_shades_each_cell_in_its_row_and_column() -> None:
    palette = Palette()
    ax = plot_attention([[0.0, 0.5], [1.0, 0.0]], "ab", ["2", "0"], axes(), palette)
    shaded = {
        (p.get_x(), p.get_y()): mpl.colors.to_hex(p.get_facecolor()) for p in ax.patches if p.get_width() == 1
    }
    assert shaded == {(1, 0): palette.cell(0.5), (0, 1): palette.cell(1.0)}


def test_dates_label_a_map_with_many_cells() -> None:
    source = "3 May 2020; 2021/6/4"
    output = [*"2020-05-03;2021-06-04", "<eos>"]
    alpha = [[1 / len(source)] * len(source)] * len(output)
    ax = plot_attention(alpha, source, output, axes(), whole_dates=True, numbers=False)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["3 May 2020", "2021/6/4"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["2020-05-03", "2021-06-04"]
    assert printed(ax) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", []), (";", []), ("ab", [(0, 2)]), ("a; b", [(0, 1), (3, 4)]), ("a;;b", [(0, 1), (3, 4)])],
)
def test_parts_between_separators(text: str, expected: list[tuple[int, int]]) -> None:
    assert spans(text, ";") == expected


@pytest.mark.parametrize("alpha", [[], [[0.5, 0.5]], [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]])
def test_a_map_of_the_wrong_shape_is_refused(alpha: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="2 output tokens and one column for each of the 2 source"):
        plot_attention(alpha, "ab", ["2", "0"], axes())


def test_the_alt_text_of_the_example_says_where_each_row_reads() -> None:
    text = alt_texts(samples())["attention_example"]
    assert "12 characters of 3 March 2021" in text
    assert "11 tokens of the output 2021-03-03 (correct) and the end token" in text
    assert "In 8 of the 11 rows" in text
    assert "month, 0 reads the space at 8, 3 reads r at 5 (0.84)" in text
    assert "year, 2 reads 0 at 10, 0 reads 2 at 11, 2 reads 2 at 11, 1 reads 1 at 12" in text


def test_the_alt_text_of_a_wrong_output_says_so() -> None:
    data = samples()
    entry = data["attention_example"]["examples"][0]["models"]["dot"]
    entry.update(output="2021-03", correct=False, tokens=[*"2021-03"], alpha=entry["alpha"][:7])
    text = alt_texts(data)["attention_example"]
    assert "output 2021-03 (wrong)" in text
    assert "end token" not in text
    assert "in order, 2 reads 0 at 10" in text


def test_the_alt_texts_have_the_numbers_of_the_data() -> None:
    texts = alt_texts(samples())
    assert "0.670 (seeds 0.052, 0.962 and 0.996) at K = 1" in texts["exact_match"]
    assert "The dot-product model: 1.000 at K = 1" in texts["exact_match"]
    assert "500 test sources" in texts["exact_match"]
    assert "4,000 steps" in texts["loss"]
    assert "never falls below 0.1" in texts["loss"]
    assert "ends at 0.0001 to 0.0003 and first falls below 0.1 at step" in texts["loss"]
    assert "2.70 to 2.72" in texts["loss"]
    assert "0.9995 at K = 4" in texts["hit_rate"]
    assert "drawn uniformly" in texts["hit_rate"]
    assert "0.220 at K = 4" in texts["hit_rate"]
    maps = texts["attention_tests"]
    assert "Map b, 1931/7/22; May 21st, 1906 gives 1931-07-22;1906-05-21 (correct)" in maps
    # Row t of the samples reads position 2 t, counted from 0 and round the 44 characters of the source.
    assert "1999-01-02 at 1 to 19, 2008-09-30 at 23 to 41 and 2011-01-01 at 1 to 19 of 44 positions." in maps


def test_alt_texts_follow_the_data() -> None:
    data = samples()
    before = alt_texts(data)
    data["exact_match"]["models"]["dot"]["seeds"]["1"]["exact_match"]["4"] = 0.5
    data["training"]["models"]["plain"]["seeds"]["2"]["loss"]["value"][-1] = 0.05
    after = alt_texts(data)
    assert "0.833 (seeds 1.000, 0.500 and 1.000) at K = 4" in after["exact_match"]
    assert "first falls below 0.1 at step 4,000 in 1 of 3 seeds" in after["loss"]
    assert after["hit_rate"] == before["hit_rate"]


def test_snippets_hold_the_image_and_its_alt_text(drawn: Path) -> None:
    for name, alt in alt_texts(samples()).items():
        text = (drawn / "figures" / f"_lab04_{name}.md").read_text(encoding="utf-8")
        assert text == f'![](/figures/lab04_{name}.svg){{fig-alt="{alt}"}}\n'
        assert text.count('"') == 2
    assert snippet("x", 'a "b" \\ c') == '![](/figures/lab04_x.svg){fig-alt="a \\"b\\" \\\\ c"}\n'


def test_the_plotly_maps_have_every_weight(drawn: Path) -> None:
    content = json.loads((drawn / "figures" / "lab04_attention_example.plotly.json").read_text())
    example = load(drawn / "data", "attention_example")["examples"][0]
    assert [m["title"] for m in content["maps"]] == [
        "3 March 2021 (dot product)",
        "3 March 2021 (additive score)",
    ]
    for drawing, model in zip(content["maps"], ATTENTION, strict=True):
        (trace,) = drawing["data"]
        assert trace["type"] == "heatmap"
        assert trace["z"] == example["models"][model]["alpha"]
        assert trace["text"][0][0] == "output 2, source 3 at 1"
        assert trace["text"][-1][1] == "output end, source space at 2"
        assert drawing["layout"]["yaxis"]["autorange"] == "reversed"  # the first token on top
        assert drawing["layout"]["yaxis"]["ticktext"] == [*"2021-03-03", "end"]
        assert drawing["layout"]["xaxis"]["ticktext"] == [*"3␣March␣2021"]
    assert set(content["colorscales"]) == {"light", "dark"}


Spoiler = tuple[str, list[Any], Any, str]
SPOILT: list[Spoiler] = [
    (
        "training",
        ["models", "dot", "seeds", "1", "final_loss"],
        None,
        "models.dot.seeds.1.final_loss is missing",
    ),
    ("training", ["config", "d_a"], None, "the field config.d_a is missing"),
    ("training", ["vocab"], "15", "vocab is '15' and must be a whole number"),
    ("training", ["models", "plain", "seeds", "0", "loss", "step"], [3, 2], "one value per step"),
    ("exact_match", ["models", "plain", "seeds", "2"], None, "all models must have the same seeds"),
    ("exact_match", ["models", "dot", "seeds", "0", "exact_match", "3"], 1.2, "must be a number from 0 to 1"),
    ("exact_match", ["models", "dot", "seeds", "0", "date_accuracy", "3"], [1.0], "must have 3 numbers"),
    ("alignment", ["uniform", "1", "overall"], None, "the field uniform.1.overall is missing"),
    ("alignment", ["models", "dot", "seeds"], {}, "models.dot.seeds must not be empty"),
    ("beam", ["models", "plain", "seeds", "0", "5"], None, "models.plain.seeds.0.5 is missing"),
    ("beam", ["models", "plain"], [], "models.plain must be an object"),
    (
        "attention_example",
        ["examples", 0, "models", "dot", "alpha", 2],
        [1.0],
        "one column per source character",
    ),
    ("attention_example", ["examples", 0, "models", "dot", "alpha", 2, 0], 0.5, "does not sum to 1"),
    ("attention_example", ["examples", 0, "models", "dot", "tokens"], ["2"], "one row per token"),
    ("attention_example", ["examples", 0, "id"], "other", "must start with the one called 'example'"),
    ("attention_example", ["examples"], [], "must be a list with at least one item"),
]


@pytest.mark.parametrize(("name", "path", "value", "reason"), SPOILT)
def test_a_malformed_data_file_is_named_with_the_rule(
    name: str, path: list[Any], value: Any, reason: str, tmp_path: Path
) -> None:
    data = json.loads(json.dumps(samples()))
    place = data[name]
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    with pytest.raises(DataError) as error:
        draw_all(write_samples(tmp_path / "data", data), tmp_path)
    assert str(error.value).startswith(f"data/lab04_{name}.json: ")
    assert reason in str(error.value)
    assert str(error.value).endswith("Run `make lab` to make it again.")
    assert not (tmp_path / "figures").exists()


def test_the_script_says_which_file_is_missing(tmp_path: Path) -> None:
    write_samples(tmp_path / "data")
    (tmp_path / "data" / "lab04_alignment.json").unlink()
    command = [sys.executable, SCRIPT, "--data", tmp_path / "data", "--out", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "data/lab04_alignment.json: the file is missing" in done.stderr
    assert "make lab" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", ["", "{", "[]", '"text"'])
def test_a_file_that_is_no_object_is_refused(content: str, tmp_path: Path) -> None:
    write_samples(tmp_path / "data")
    (tmp_path / "data" / "lab04_beam.json").write_text(content)
    with pytest.raises(DataError, match=r"data/lab04_beam\.json: .*(not valid JSON|must be an object)"):
        load(tmp_path / "data", "beam")
