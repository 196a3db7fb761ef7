"""The web fonts: no character is missing, same text, same bytes, and stand-ins take the same space."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from bookbuild.theme.characters import BASE, characters_of, drawn, math_italic, unicode_range
from bookbuild.theme.fallbacks import LOCALS
from bookbuild.theme.fonts import FAMILIES, MATH_FAMILY, build_fonts, font_files, preloads

ROOT = Path(__file__).resolve().parents[2]
THEME = ROOT / "src" / "bookbuild" / "theme"
TEXT = (
    "<p>Čapek &amp; ŷ “quoted” α → β ∑ ✓ 3 × 4</p>"
    "<math><mi>h</mi><mi>α</mi><mi>W</mi><mo>∑</mo><mi>ℝ</mi><mo>⊤</mo><mo>&#8289;</mo><mi>tanh</mi></math>"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An output folder; its cache is beside it."""
    return tmp_path_factory.mktemp("fonts")


@pytest.fixture(scope="module")
def css(folder: Path) -> str:
    return build_fonts(folder / "out", TEXT, folder / "cache")


def faces(css: str) -> list[dict[str, str]]:
    """The @font-face rules as dictionaries."""
    rules = re.findall(r"@font-face\{(.*?)\}", css)
    return [dict(part.split(":", 1) for part in re.split(r";(?=[a-z-]+:)", rule)) for rule in rules]


def characters_in(path: Path) -> set[str]:
    return {chr(code) for code in TTFont(path, lazy=True).getBestCmap()}


def covered(css: str, folder: Path, family: str) -> set[str]:
    """All characters that the upright faces of a family draw."""
    found: set[str] = set()
    for face in faces(css):
        if face["font-family"] == f'"{family}"' and "url(" in face["src"] and face["font-style"] == "normal":
            found |= characters_in(folder / "out" / font_files(face["src"])[0])
    return found


@pytest.mark.parametrize("family", [family.name for family in FAMILIES])
def test_no_character_of_the_text_is_missing(css, folder, family) -> None:
    plain, _ = characters_of(TEXT)
    assert set("Čŷ“”α→β∑✓×&") <= plain
    assert plain - covered(css, folder, family) - covered(css, folder, "Book Symbols") == set()


def test_no_character_of_the_formulas_is_missing(css, folder) -> None:
    _, formulas = characters_of(TEXT)
    assert set("ℎ𝛼𝑊∑ℝ⊤tanh") <= formulas
    assert formulas - covered(css, folder, MATH_FAMILY) == set()


def test_an_unknown_character_is_no_secret(css, folder) -> None:
    """A character that no font has must show up in these tests, so the cover may not pretend to have it."""
    more = build_fonts(folder / "out", TEXT + "😀", folder / "cache")
    everything = covered(more, folder, "Source Serif 4") | covered(more, folder, "Book Symbols")
    assert characters_of("😀")[0] - everything == {"😀"}


def test_the_ranges_name_what_the_files_hold(css, folder) -> None:
    for face in faces(css):
        if "unicode-range" in face:
            held = characters_in(folder / "out" / font_files(face["src"])[0])
            assert unicode_range(held) == face["unicode-range"]


def test_same_text_same_bytes(css, folder, tmp_path) -> None:
    again = build_fonts(tmp_path / "out", TEXT, tmp_path / "cache")
    assert again == css
    for name in font_files(css):
        assert (tmp_path / "out" / name).read_bytes() == (folder / "out" / name).read_bytes()


def test_the_fonts_of_a_page_are_light(css, folder) -> None:
    first = preloads(css, math=True)
    assert [name.rsplit("-", 1)[0] for name in first] == [
        "source-serif-4-latin-normal",
        "inter-latin-normal",
        "math",
    ]
    assert preloads(css, math=False) == first[:2]
    assert sum((folder / "out" / name).stat().st_size for name in first) < 80_000


def test_every_family_that_the_styles_name_exists(css) -> None:
    tokens = (THEME / "tokens.css").read_text(encoding="utf-8")
    named = set(re.findall(r'"([^"]+)"', " ".join(re.findall(r"--font-(?:body|ui):([^;]*);", tokens))))
    assert named == {face["font-family"].strip('"') for face in faces(css)} - {MATH_FAMILY}


@pytest.mark.parametrize("family", LOCALS)
def test_stand_ins_have_the_line_box_of_the_font(css, family) -> None:
    """size-adjust scales the box too, so box times adjustment must be the web font's own box."""
    package = next(each.package for each in FAMILIES if each.name == family)
    path = (
        ROOT / "node_modules/@fontsource-variable" / package / "files" / f"{package}-latin-wght-normal.woff2"
    )
    font = TTFont(path, lazy=True)
    names = {f'"{family} {local.suffix}"' for local in LOCALS[family]}
    found = [face for face in faces(css) if face["font-family"] in names]
    assert len(found) == 3 * len(names)
    for face in found:
        adjust = float(face["size-adjust"].rstrip("%")) / 100
        assert 0.9 < adjust < 1.25
        ascent = float(face["ascent-override"].rstrip("%")) / 100 * adjust
        assert ascent == pytest.approx(font["hhea"].ascent / font["head"].unitsPerEm, abs=0.001)


def test_a_stand_in_is_as_wide_as_the_font() -> None:
    """On a machine that has Liberation Serif, the listed width is the measured one but for kerning."""
    path = Path("/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf")
    if not path.exists():
        pytest.skip("Liberation Serif is not installed here")
    from bookbuild.theme.fallbacks import FREQUENCIES

    font = TTFont(path, lazy=True)
    cmap, advances = font.getBestCmap(), font["hmtx"]
    total = sum(advances[cmap[ord(letter)]][0] * count for letter, count in FREQUENCIES.items())
    times = next(local for local in LOCALS["Source Serif 4"] if local.suffix == "Times")
    assert total / sum(FREQUENCIES.values()) / font["head"].unitsPerEm == pytest.approx(
        times.regular, rel=0.02
    )


@pytest.mark.parametrize(
    ("letter", "italic"),
    [
        ("a", "𝑎"),
        ("W", "𝑊"),
        ("h", "ℎ"),
        ("α", "𝛼"),
        ("Σ", "𝛴"),
        ("ϵ", "𝜖"),
        ("∂", "𝜕"),
        ("é", None),
        ("1", None),
    ],
)
def test_math_italic(letter, italic) -> None:
    assert math_italic(letter) == italic


@pytest.mark.parametrize("text", ["", "\n\t", "\u2061\u200b\ufeff", "<math></math>"])
def test_text_that_draws_nothing_needs_the_base_only(text) -> None:
    assert characters_of(text)[0] == BASE


def test_entities_count_as_what_they_draw() -> None:
    assert "é" in characters_of("caf&eacute;")[0]
    assert not drawn("\u2061")


def test_unicode_range_joins_neighbours() -> None:
    assert unicode_range(set("abcx€")) == "U+61-63,U+78,U+20AC"


def test_a_root_brings_its_sign_and_a_selector_brings_nothing() -> None:
    assert "√" in characters_of("<math><msqrt><mi>d</mi></msqrt></math>")[1]
    assert "\ufe0e" not in characters_of("↩\ufe0e")[0]
