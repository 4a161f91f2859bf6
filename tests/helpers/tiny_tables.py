"""Replicates and summaries of every experiment of a config, made without Snakemake.

    python tests/helpers/tiny_tables.py FOLDER CONFIG [CONFIG ...]

Later configs replace keys of earlier ones.  Like ``golden_pulls.py`` it needs the package and
no more, so that it runs under an emulator, another Python, another processor's instructions.
"""

import logging
import sys
from functools import reduce
from pathlib import Path

import numpy as np

from penalized_replication.config.files import overlaid, read
from penalized_replication.config.model import BaseConfig, parse_config
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Context
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.storage.replicates import read_replicates, write_replicates
from penalized_replication.storage.tables import write_csv
from penalized_replication.summaries import summarize, summarize_frontiers

RATINGS = str(BUNDLED_COUNTS)


def make_tables(folder: Path, configs: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    config = parse_config(reduce(overlaid, (read(Path(name)) for name in configs)))
    for name in EXPERIMENTS:
        write_summaries(name, simulated(config, name, folder), folder)


def simulated(config: BaseConfig, name: str, folder: Path) -> list[Path]:
    """Write the replicates of an experiment; return the path of their table."""
    section, path = config.section(name), folder / f"{name}.parquet"
    context = Context(config.seed, config.interpretations, 0, section.replicates, RATINGS)
    cases = EXPERIMENTS[name].all_cases(section, context)
    outcomes = list(simulate_experiment(name, cases, context))
    assert all(np.isfinite(outcome.max_deficit).all() for outcome in outcomes)
    assert len({outcome.run for outcome in outcomes}) == len(outcomes)
    write_replicates(path, outcomes, {"setting": name, "seed": config.seed})
    return [path]


def write_summaries(name: str, paths: list[Path], folder: Path) -> None:
    write_csv(summarize(name, read_replicates(paths)), str(folder / f"{name}.csv"))
    if EXPERIMENTS[name].has_frontier:
        frontiers = summarize_frontiers(name, read_replicates(paths))
        write_csv(frontiers, str(folder / f"{name}_frontier.csv"))


if __name__ == "__main__":
    logging.disable()
    make_tables(Path(sys.argv[1]), sys.argv[2:])
