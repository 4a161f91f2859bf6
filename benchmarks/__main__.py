"""Command line of the benchmarks."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import load_specs
from benchmarks.runner import run
from benchmarks.tables import markdown


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a benchmark, print its table and write its results."""
    specs = load_specs()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=specs, help="benchmark to run")
    parser.add_argument("--repetitions", type=int, help="repetitions, in place of specs.yaml's")
    folder = Path(__file__).with_name("results")
    parser.add_argument("--output", type=Path, default=folder, help="folder of the CSV file")
    options = parser.parse_args(arguments)
    spec = specs[options.name]
    results = run(spec.cases, options.repetitions or spec.repetitions)
    options.output.mkdir(parents=True, exist_ok=True)
    results.to_csv(options.output / f"{options.name}.csv", index=False, lineterminator="\n")
    sys.stdout.write(markdown(options.name, results))


if __name__ == "__main__":
    main()
