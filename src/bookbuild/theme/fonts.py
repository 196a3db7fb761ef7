"""The book's web fonts: subsets as woff2, and the @font-face rules that load them.

Each face keeps only the characters that the book uses, and only the weights that the styles use.
A character that a text face lacks comes from STIX Two Math through the small family "Book Symbols".
What a system font shows until a face arrives is matched to it in `fallbacks.py`.
Left out: the mono family (the reader's system has one) and any choice of colours or sizes.
"""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import fontTools
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from ..cache import digest, write_atomic
from .characters import characters_of, unicode_range
from .fallbacks import fallback_css

ROOT = Path(__file__).resolve().parents[3]
FONTSOURCE = ROOT / "node_modules" / "@fontsource-variable"

WEIGHTS = (400, 700)
FEATURES = ["kern", "liga", "ccmp", "locl", "mark", "mkmk", "tnum", "lnum"]
MATH_FEATURES = ["ssty", "ss01", "ss04", "dtls", "flac", "ccmp", "mark", "mkmk", "kern"]
SCRIPTS = ("latin", "latin-ext", "greek", "greek-ext", "cyrillic", "vietnamese")
MATH_FAMILY = "STIX Two Math"
SYMBOL_FAMILY = "Book Symbols"


@dataclass(frozen=True)
class Family:
    """One text family: its CSS name, its npm package, and the styles that the book sets."""

    name: str
    package: str
    styles: tuple[str, ...]


FAMILIES = (
    Family("Source Serif 4", "source-serif-4", ("normal", "italic")),
    Family("Inter", "inter", ("normal",)),
)


def build_fonts(out_dir: Path, text: str, cache: Path) -> str:
    """Write the faces that `text` needs into `out_dir`; return their @font-face rules.

    `text` is the book's pages as HTML (or plain text). The rules name the files as `fonts/NAME`,
    beside the style sheet. The same characters give the same bytes; `cache` keeps them by content.
    """
    characters, formulas = characters_of(text)
    key = digest(_recipe(), "".join(sorted(characters)), "".join(sorted(formulas)))
    plan = cache / f"plan-{key}.css"
    if not plan.exists():
        write_atomic(plan, _make_faces(characters, formulas, cache))
    css = plan.read_text(encoding="utf-8")
    out_dir.mkdir(parents=True, exist_ok=True)
    for name in font_files(css):
        if not (out_dir / name).exists():
            shutil.copyfile(cache / name, out_dir / name)
    return css


def font_files(css: str) -> list[str]:
    """Return the names of the files that these @font-face rules load, in their order."""
    return list(dict.fromkeys(re.findall(r"url\(fonts/([\w.-]+)\)", css)))


def preloads(css: str, math: bool) -> list[str]:
    """Return the files worth a preload: upright text and interface, and the formulas' when there are any."""
    wanted = [f"{family.package}-latin-normal-" for family in FAMILIES] + (["math-"] if math else [])
    return [name for name in font_files(css) if name.startswith(tuple(wanted))]


def _make_faces(characters: set[str], formulas: set[str], cache: Path) -> str:
    """Make every file and return the rules, text families first."""
    rules: list[str] = []
    covered: set[str] = characters
    for family in FAMILIES:
        for style in family.styles:
            taken, faces = _text_faces(family, style, characters, cache)
            covered = covered & taken if style == "normal" else covered
            rules += faces
        rules.append(_fallbacks(family, cache))
    stix = _stix_path()
    in_stix = {chr(c) for c in TTFont(stix, lazy=True).getBestCmap()}
    symbols = (characters - covered) & in_stix
    if symbols:
        name = _write(stix, symbols, cache, "symbols", math=False)
        rules.append(_rule(SYMBOL_FAMILY, name, "normal", "400", symbols))
    name = _write(stix, formulas & in_stix, cache, "math", math=True)
    rules.append(_rule(MATH_FAMILY, name, "normal", "400", None))
    return "\n".join(rules) + "\n"


def _fallbacks(family: Family, cache: Path) -> str:
    """Return the rules of a family's stand-ins, which depend on no character, so they are kept."""
    kept = cache / f"{family.package}-{_recipe()}.css"
    if not kept.exists():
        files = FONTSOURCE / family.package / "files"
        write_atomic(kept, fallback_css(family.name, files, family.package, "italic" in family.styles))
    return kept.read_text()


def _text_faces(family: Family, style: str, characters: set[str], cache: Path) -> tuple[set[str], list[str]]:
    """Make one face per script file that holds a needed character; return what they cover."""
    taken: set[str] = set()
    rules = []
    for script in SCRIPTS:
        source = FONTSOURCE / family.package / "files" / f"{family.package}-{script}-wght-{style}.woff2"
        if not source.exists():
            continue
        found = (characters - taken) & {chr(c) for c in TTFont(source, lazy=True).getBestCmap()}
        if found:
            name = _write(source, found, cache, f"{family.package}-{script}-{style}", math=False)
            rules.append(_rule(family.name, name, style, f"{WEIGHTS[0]} {WEIGHTS[1]}", found))
            taken |= found
    return taken, rules


def _write(source: Path, characters: set[str], cache: Path, stem: str, math: bool) -> str:
    """Subset one font file into the cache, unless it is there; return the new file's name."""
    name = f"{stem}-{digest(_recipe(), source.name, ''.join(sorted(characters)))[:10]}.woff2"
    if (cache / name).exists():
        return name
    font = TTFont(source)
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = MATH_FEATURES if math else FEATURES
    options.hinting = False
    options.recalc_timestamp = False
    options.drop_tables += ["DSIG"] if math else ["DSIG", "MATH"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=sorted(ord(c) for c in characters))
    subsetter.subset(font)
    if "fvar" in font:
        font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True)
    font.flavor = "woff2"
    font.recalcTimestamp = False
    data = io.BytesIO()
    font.save(data)
    write_atomic(cache / name, data.getvalue())
    return name


def _rule(family: str, name: str, style: str, weight: str, characters: set[str] | None) -> str:
    """Return one @font-face rule; `characters` None means that the face takes all there is."""
    ranges = f"unicode-range:{unicode_range(characters)};" if characters else ""
    return (
        f'@font-face{{font-family:"{family}";font-style:{style};font-weight:{weight};font-display:swap;'
        f'{ranges}src:url(fonts/{name}) format("woff2")}}'
    )


def _stix_path() -> Path:
    """Return STIX Two Math, which the package ziamath carries."""
    spec = find_spec("ziamath")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(
            "the package ziamath, which carries STIX Two Math, is missing: run `make site`, which installs it"
        )
    return Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"


@lru_cache(maxsize=1)
def _recipe() -> str:
    """Return what the bytes depend on besides the characters: our code, the tools and the sources."""
    packages = [FONTSOURCE / family.package / "package.json" for family in FAMILIES]
    for package in packages:
        if not package.exists():
            raise FileNotFoundError(
                f"{package.relative_to(ROOT)} is missing: run `make site`, which installs it"
            )
    versions = [json.loads(package.read_text())["version"] for package in packages]
    code = [path.read_text() for path in sorted(Path(__file__).parent.glob("*.py"))]
    return digest(fontTools.version, str(_stix_path().stat().st_size), *versions, *code)
