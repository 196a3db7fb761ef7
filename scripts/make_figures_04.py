"""Draw the figures of the lab, and write the numbers and alt texts that the prose quotes.

Reads `data/lab04_*.json` and nothing else. Writes `figures/lab04_*.svg`, the example's maps for Plotly, one
snippet per figure with its alt text, and `_variables.yml`. The same data give the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lab04.provenance import ROOT
from lab04.report.drawing import draw_all
from lab04.report.results import DataError


def main() -> int:
    """Draw everything and say what was written; exit 1 when a data file cannot be used."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder of the result files")
    parser.add_argument("--out", type=Path, default=ROOT, help="folder that gets figures/ and _variables.yml")
    arguments = parser.parse_args()
    try:
        written = draw_all(arguments.data, arguments.out)
    except (DataError, FileNotFoundError) as error:
        print(f"make_figures_04: {error}", file=sys.stderr)
        return 1
    for path in written:
        print(f"{path.relative_to(arguments.out)}  {path.stat().st_size / 1000:.1f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
