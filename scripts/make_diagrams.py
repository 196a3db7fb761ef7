"""Draw the two diagrams of the chapter that show no data: the encoder-decoder, and one attention step.

Plain text to `figures/*.svg`, the same bytes each time. Colours follow the reader's light or dark
setting. Leaves out: every figure with measured data (`make_figures_04.py`).
"""

from __future__ import annotations

from pathlib import Path

from lab04.report.colours import DARK, LIGHT

FIGURES = Path(__file__).resolve().parents[1] / "figures"
ROLES = ("ink", "muted", "surface", "key", "context")
RULES = """
text { font: 17px system-ui, sans-serif; fill: var(--ink); text-anchor: middle; }
.math { font-family: "STIX Two Math", "Cambria Math", "Times New Roman", serif; }
.math { font-style: italic; font-size: 19px; }
.accent { fill: none; stroke: var(--ink); stroke-width: 1.3; }
.note { font-size: 15px; fill: var(--muted); }
.box { fill: var(--surface); stroke: var(--muted); stroke-width: 1.5; }
.line { fill: none; stroke: var(--muted); stroke-width: 1.5; }
.head { fill: var(--muted); }
.key { fill: none; stroke: var(--key); } .keyhead { fill: var(--key); }
.keybox { fill: var(--surface); stroke: var(--key); stroke-width: 2; }
.mix { fill: none; stroke: var(--context); stroke-width: 2.5; } .mixhead { fill: var(--context); }
.mixbox { fill: var(--surface); stroke: var(--context); stroke-width: 2.5; }
"""


def style() -> str:
    """The style sheet, with the book's colours for light and for dark."""
    light, dark = (" ".join(f"--{role}: {colours[role]};" for role in ROLES) for colours in (LIGHT, DARK))
    return f"{RULES}svg {{ {light} }}\n@media (prefers-color-scheme: dark) {{\nsvg {{ {dark} }}\n}}\n"


def sub(letter: str, index: str) -> str:
    """A letter with a subscript, as the inside of a text element."""
    return f'{letter}<tspan dy="5" font-size="13">{index}</tspan>'


def text(x: float, y: float, content: str, kind: str = "") -> str:
    """One centred line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{content}</text>'


def box(x: float, y: float, content: str, kind: str = "box", width: float = 46, height: float = 38) -> str:
    """A rounded box with its middle at (x, y) and mathematics inside."""
    corner = f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="7"'
    return f'<rect {corner} class="{kind}"/>' + text(x, y + 6, content, "math")


def arrow(
    x1: float, y1: float, x2: float, y2: float, kind: str = "line", head: str = "head", width: float = 1.5
) -> str:
    """A straight arrow whose tip is at (x2, y2)."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    size = 6 + 1.2 * width
    bx, by = x2 - size * dx, y2 - size * dy  # foot of the head
    nx, ny = -dy * size * 0.55, dx * size * 0.55
    tip = f"{x2:g},{y2:g} {bx + nx:.1f},{by + ny:.1f} {bx - nx:.1f},{by - ny:.1f}"
    line = f'<path d="M{x1:g} {y1:g} L{bx:.1f} {by:.1f}" class="{kind}" style="stroke-width:{width:g}"/>'
    return line + f'<polygon points="{tip}" class="{head}"/>'


def accent(x: float, y: float, kind: str) -> str:
    """A bar or a tilde over the letter whose middle is x and whose top is y."""
    shape = f"M{x - 5:g} {y:g} h11" if kind == "bar" else f"M{x - 5:g} {y:g} q3 -4 5.5 -1.5 t5.5 -1.5"
    return f'<path d="{shape}" class="accent"/>'


def svg(width: int, height: int, title: str, parts: list[str]) -> str:
    """The document; the page gives the alt text, the title serves whoever opens the file alone."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
    return "\n".join(
        [f'{opening} role="img">', f"<title>{title}</title>", f"<style>{style()}</style>", *parts, "</svg>\n"]
    )


def encoder_decoder() -> str:
    """Source on the left, target on the right, one arrow between."""
    row, step = 105, 62
    source, target = [32 + step * i for i in range(3)], [292 + step * i for i in range(3)]
    parts = [text(source[1], 24, "encoder reads", "note"), text(target[1], 24, "decoder writes", "note")]
    for letter, kind, token, xs, names, inputs in (
        ("h", "keybox", "x", source, ("1", "⋯", "S"), ("1", "", "S")),
        ("s", "box", "y", target, ("1", "⋯", "T"), ("0", "", "T−1")),
    ):
        for i, (x, name, before) in enumerate(zip(xs, names, inputs, strict=True)):
            parts.append(box(x, row, "⋯" if not before else sub(letter, name), kind))
            if i:
                parts.append(arrow(xs[i - 1] + 23, row, x - 23, row))
            if before:
                parts += [arrow(x, row + 56, x, row + 21), text(x, row + 76, sub(token, before), "math")]
            if before and letter == "s":
                parts += [arrow(x, row - 21, x, row - 44), text(x, row - 54, sub("y", name), "math")]
    parts.append(arrow(source[-1] + 25, row, target[0] - 25, row, "mix", "mixhead", 7))
    middle = (source[-1] + target[0]) / 2
    parts.append(text(middle, row - 18, sub("s", "0") + '<tspan dy="-5"> = </tspan>' + sub("h", "S"), "math"))
    parts.append(text(middle, row + 32, "all that passes", "note"))
    return svg(450, 196, "The encoder-decoder", parts)


def attention_step() -> str:
    """Four states, their weights as widths of lines, the sum, and the combination with the state."""
    weights = (0.06, 0.1, 0.74, 0.1)
    xs, keys, total = [32 + 66 * i for i in range(4)], 60, (131, 190)
    parts = [text(131, 24, "encoder states", "note")]
    for i, (x, weight) in enumerate(zip(xs, weights, strict=True), 1):
        tip = (round(total[0] + (x - total[0]) * 0.2, 1), total[1] - 20)
        parts.append(arrow(x, keys + 20, *tip, "key", "keyhead", round(1 + 9 * weight, 2)))
        parts.append(box(x, keys, sub("h", str(i)), "keybox"))
        side = (-27, -27, 23, 32)[i - 1]
        parts.append(text(x + (total[0] - x) * 0.36 + side, keys + 60, sub("α", f"t,{i}"), "math"))
    parts.append(f'<circle cx="{total[0]}" cy="{total[1]}" r="19" class="mixbox"/>')
    parts.append(text(total[0], total[1] + 6, "Σ"))
    parts.append(arrow(total[0] + 20, total[1], 203, total[1], "mix", "mixhead", 2.5))
    parts += [box(228, total[1], sub("h", "t"), "mixbox"), accent(224, total[1] - 10, "bar")]
    parts.append(arrow(252, total[1], 312, total[1], "mix", "mixhead", 2.5))
    parts += [box(337, total[1], sub("W", "c")), arrow(361, total[1], 402, total[1])]
    parts += [box(427, total[1], sub("s", "t")), accent(424, total[1] - 5, "tilde")]
    parts += [text(400, total[1] + 42, "to the output", "note"), text(337, 24, "decoder state", "note")]
    parts += [box(337, keys, sub("s", "t")), arrow(337, keys + 20, 337, total[1] - 20)]
    parts.append(f'<path d="M313 {keys} L256 {keys}" class="line" stroke-dasharray="4 4"/>')
    parts.append(text(285, keys - 8, "scores", "note"))
    return svg(454, 242, "One attention step", parts)


def main() -> None:
    """Write both drawings."""
    FIGURES.mkdir(exist_ok=True)
    for name, draw in (("encoder_decoder", encoder_decoder), ("attention_step", attention_step)):
        (FIGURES / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
