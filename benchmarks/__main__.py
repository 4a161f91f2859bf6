"""Command line: ``python -m benchmarks [--only TABLE ...] [--quick] [--write-docs]``."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import (
    arms_table,
    docs,
    horizon_table,
    lanes_table,
    limits_table,
    loops_table,
    machine,
    peers_table,
    policies_table,
    replicates_table,
    startup_table,
    threads_table,
    workflow_table,
)
from benchmarks.effort import FULL, QUICK, Effort
from benchmarks.tables import Table, goals_table, save
from benchmarks.timing import say
from penalized_bandits.storage.files import write_text

RESULTS = Path(__file__).parent / "results"
DOCUMENT = machine.ROOT / "docs" / "performance.md"

TABLES: dict[str, Callable[[Effort], Table]] = {
    "peers": peers_table.make,
    "threads": threads_table.make,
    "arms": arms_table.make,
    "horizon": horizon_table.make,
    "startup": startup_table.make,
    "lanes": lanes_table.make,
    "loops": loops_table.make,
    "replicates": replicates_table.make,
    "limits": limits_table.make,
    "policies": policies_table.make,
    "workflow": workflow_table.make,
}


def run(names: Sequence[str], effort: Effort, folder: Path, patience: float = 0.0) -> None:
    """Make tables one after the other, print each and save it at once.

    Before each table, wait up to ``patience`` seconds for a machine that does nothing else.
    """
    for name in names:
        if patience > 0:
            machine.wait_until_quiet(patience)
        start, before = time.perf_counter(), machine.load()
        table = TABLES[name](effort)
        table.note += (
            f"Load of the machine before and after: {before} and {machine.load()}; "
            f"{time.perf_counter() - start:.0f} seconds. Engine {machine.engine_digest()}, "
            f"compiled for {machine.compiled()}.\n"
        )
        save(table, folder, machine.compiled_for())
        sys.stdout.write(f"\n## {table.title}\n\n{table.markdown()}\n")
        for goal in table.goals:
            row = goal.row()
            sys.stdout.write(f"{row['goal']}; measured {row['measured']}\n")
        sys.stdout.flush()
    write_text(folder / "machine.md", machine.describe())
    if (folder / "goals").is_dir():
        write_text(folder / "goals.md", goals_table(folder, TABLES))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES), metavar="TABLE",
                        help=f"tables to make: {', '.join(TABLES)}")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, to try it out")
    parser.add_argument("--repetitions", type=int, help="how often each measurement is repeated")
    parser.add_argument("--config-file", help="config of the workflow that is timed")
    parser.add_argument("--output", type=Path, help="folder of the tables")
    parser.add_argument("--wait", type=float, default=0.0, metavar="SECONDS",
                        help="wait so long for a quiet machine before each table")  # fmt: skip
    parser.add_argument("--write-docs", action="store_true",
                        help="put the tables into docs/performance.md")  # fmt: skip
    parser.add_argument("--no-run", action="store_true",
                        help="measure nothing, only insert the saved tables")  # fmt: skip
    chosen = parser.parse_args(arguments)
    if chosen.quick and chosen.write_docs:
        parser.error("the numbers of a quick run are not for the documentation")
    effort = QUICK if chosen.quick else FULL
    if chosen.repetitions is not None:
        effort = replace(effort, repetitions=chosen.repetitions)
    if chosen.config_file is not None:
        effort = replace(effort, config_file=chosen.config_file)
    folder = chosen.output or (RESULTS / "quick" if chosen.quick else RESULTS)
    if not chosen.no_run:
        run(chosen.only, effort, folder, chosen.wait)
        say(f"saved in {folder}")
    if chosen.write_docs:
        docs.write(DOCUMENT, folder)
        say(f"wrote {DOCUMENT}")


if __name__ == "__main__":
    main()
