"""Report data files that are missing, malformed, or made by code that has changed since.

Prints one line per problem: the file, what is wrong, what to do. Exit 1 when there is one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lab04.provenance import ROOT
from lab04.report.data_check import problems


def main() -> int:
    """Check the folder and say how it stands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder of the result files")
    folder = parser.parse_args().data
    found = problems(folder)
    for problem in found:
        print(problem, file=sys.stderr)
    if not found:
        print(f"{folder.name}/: every file is whole and made by the code as it is now.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
