"""Replicates and summaries of every experiment of a config, made without Snakemake.

    python tests/helpers/tiny_tables.py FOLDER CONFIG [CONFIG ...]

Later configs replace keys of earlier ones.  Like ``golden_pulls.py`` it needs the package and
no more, so that it runs under an emulator, another Python, another processor's instructions.
"""

import logging
import sys
from functools import reduce
from pathlib import Path

from penalized_replication.config.files import overlaid, read
from penalized_replication.config.model import parse_config
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Context
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.storage.replicates import read_replicates, write_replicates
from penalized_replication.storage.tables import write_csv
from penalized_replication.summaries.tables import summarize, summarize_frontiers

RATINGS = str(BUNDLED_COUNTS)


def make_tables(folder: Path, configs: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    config = parse_config(reduce(overlaid, (read(Path(name)) for name in configs)))
    for name, experiment in EXPERIMENTS.items():
        section = config.section(name)
        ratings = RATINGS if experiment.needs_ratings else None
        context = Context(config.seed, config.interpretations, 0, section.replicates, ratings)
        path = folder / f"{name}.parquet"
        cases = experiment.all_cases(section, context)
        write_replicates(path, simulate_experiment(name, cases, context), {})
        write_summaries(name, [path], folder)


def write_summaries(name: str, paths: list[Path], folder: Path) -> None:
    write_csv(summarize(name, read_replicates(paths)), str(folder / f"{name}.csv"))
    if EXPERIMENTS[name].has_frontier:
        frontiers = summarize_frontiers(name, read_replicates(paths))
        write_csv(frontiers, str(folder / f"{name}_frontier.csv"))


if __name__ == "__main__":
    logging.disable()
    make_tables(Path(sys.argv[1]), sys.argv[2:])
