"""Replicates and summaries of every experiment of a config, made without Snakemake.

    python tests/tiny_tables.py FOLDER CONFIG [CONFIG ...] [--parts N] [--threads N]

Later configs replace keys of earlier ones.  Like ``golden_pulls.py`` it needs the package and
no more, so that it runs under an emulator, another Python, another processor's instructions.
"""

import argparse
import logging
from pathlib import Path

from penalized_bandits.config import load_config
from penalized_bandits.experiments.base import Context, part_of
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import simulate_group
from penalized_bandits.storage.replicates import read_setting, write_replicates
from penalized_bandits.storage.summaries import summarize, summarize_frontiers, write_csv

RATINGS = (
    Path(__file__).parents[2] / "src/penalized_bandits/datasets/bundled/movielens_1m_counts.csv"
)


def make_tables(folder: Path, configs: list[str], *, parts: int = 1, threads: int = 1) -> None:
    """Write ``<experiment>.<group>.<part>.parquet``, ``<experiment>.csv`` and frontiers."""
    folder.mkdir(parents=True, exist_ok=True)
    config = load_config(*configs)
    for name, experiment in EXPERIMENTS.items():
        section = config.section(name)
        n_parts = min(parts, section.replicates)
        paths: list[Path] = []
        for group in experiment.groups(section):
            for part in range(1, n_parts + 1):
                context = Context(
                    config.seed,
                    config.readings,
                    *part_of(section.replicates, part, n_parts),
                    str(RATINGS) if experiment.needs_ratings else None,
                )
                outcomes = simulate_group(experiment, section, [group], context, threads=threads)
                paths.append(folder / f"{name}.{group}.{part}.parquet")
                write_replicates(paths[-1], outcomes, {"part": part})
        write_csv(summarize(name, read_setting(paths, n_parts)), str(folder / f"{name}.csv"))
        if experiment.has_frontier:
            frontier = summarize_frontiers(name, read_setting(paths, n_parts))
            write_csv(frontier, str(folder / f"{name}_frontier.csv"))


def main() -> None:
    """Make the tables that the command line asks for."""
    parser = argparse.ArgumentParser(description="Make the tables of a config.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("configs", nargs="+")
    parser.add_argument("--parts", type=int, default=1, help="parts of the replicates")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    logging.disable()
    make_tables(asked.folder, asked.configs, parts=asked.parts, threads=asked.threads)


if __name__ == "__main__":
    main()
