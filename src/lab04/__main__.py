"""`python -m lab04`: train, measure, write `data/`. `make lab` calls it."""

import argparse
import sys

from lab04.lab import restart_with_tuned_malloc, run_lab
from lab04.training import EARLIER


def main() -> int:
    """Run the lab; the exit status is 0, 1 on a refusal, 130 when interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m lab04", description="Train and measure the models of Lab 4."
    )
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side, one thread each (default 2)")
    parser.add_argument("--earlier", choices=EARLIER, default="resume", help="what becomes of earlier runs")
    args = parser.parse_args()
    if args.jobs < 1:
        parser.error(f"--jobs is {args.jobs}; it must be at least 1")
    restart_with_tuned_malloc()
    try:
        run_lab(jobs=args.jobs, earlier=args.earlier)
    except KeyboardInterrupt:
        print(
            "\nInterrupted. The steps done are kept under build/lab/; the same command goes on.",
            file=sys.stderr,
        )
        return 130
    except ValueError as error:
        print(f"lab04: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
