"""`python -m bookbench [lab|site|browser ...]`: measure, print a table, write build/bench/report.json."""

import argparse
import importlib
import sys
from pathlib import Path

from bookbench.report import Figure, print_figure, write_report

PARTS = ("lab", "site", "browser")
REPORT = Path(__file__).resolve().parents[2] / "build" / "bench" / "report.json"


def main() -> int:
    """Run the parts asked for; the status is 1 when a budget was missed."""
    parser = argparse.ArgumentParser(prog="bookbench", description="Measure speed and size.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: all)")
    results: dict[str, list[Figure]] = {}
    for part in parser.parse_args().parts or PARTS:
        print(part)
        results[part] = []
        for figure in importlib.import_module(f"bookbench.{part}").figures():
            print_figure(figure)
            results[part].append(figure)
    write_report(REPORT, results)
    missed = [f.name for figures in results.values() for f in figures if f.met is False]
    print(f"{len(missed)} budgets missed{': ' + '; '.join(missed) if missed else ''}. Wrote {REPORT.name}.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
