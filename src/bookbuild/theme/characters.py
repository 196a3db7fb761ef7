"""Which characters the book's pages need, in the running text and in the formulas."""

from __future__ import annotations

import html
import re
import unicodedata

# Always kept, so that a new sentence or a demo's message seldom makes new files.
BASE = {chr(c) for c in range(0x20, 0x7F)} | set("\u00a0–—‘’“”…−×·→←↑↓≤≥≈±°§′")
# Where Unicode's name for the italic does not follow from the letter's.
ITALIC_EXCEPTIONS = {"h": "ℎ", "ϵ": "𝜖", "∂": "𝜕", "∇": "𝛻", "ı": "𝚤", "ȷ": "𝚥"}


def characters_of(text: str) -> tuple[set[str], set[str]]:
    """Return the characters of the running text, and those of the formulas as a browser draws them."""
    pieces = re.split(r"(<math\b.*?</math>)", text, flags=re.DOTALL)
    formulas = "".join(pieces[1::2])
    plain = {c for c in html.unescape("".join(pieces[::2])) if drawn(c)} | BASE
    # A demo writes formulas too, from its script: ASCII, Greek letters and mathematical signs.
    signs = {c for c in plain if "Α" <= c <= "ϵ" or unicodedata.category(c) == "Sm" or c in BASE}
    math = {c for c in html.unescape(formulas) if drawn(c)} | signs
    if re.search("<m(sqrt|root)\\b", formulas):
        math.add("√")  # no character of the formula: the browser draws it for the element
    return plain, math | {italic for c in math if (italic := math_italic(c))}


def math_italic(letter: str) -> str | None:
    """Return the mathematical italic that a browser draws for a one-letter <mi>, if there is one."""
    if letter in ITALIC_EXCEPTIONS:
        return ITALIC_EXCEPTIONS[letter]
    name = unicodedata.name(letter, "")
    if not name.startswith(("LATIN ", "GREEK ")):
        return None
    try:
        return unicodedata.lookup("MATHEMATICAL ITALIC " + name.split(" ", 1)[1].replace("LETTER ", ""))
    except KeyError:
        return None


def drawn(character: str) -> bool:
    """Tell a character that needs a glyph from controls, invisible joiners and variation selectors."""
    if "\ufe00" <= character <= "\ufe0f":
        return False
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def unicode_range(characters: set[str]) -> str:
    """Return the CSS unicode-range of these characters, neighbours joined."""
    runs: list[list[int]] = []
    for code in sorted(ord(c) for c in characters):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ",".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in runs)
