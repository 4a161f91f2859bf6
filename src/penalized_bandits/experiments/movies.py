"""The MovieLens arms, for every experiment that plays them."""

import csv
from functools import cache
from pathlib import Path

import numpy as np

from penalized_bandits.bandit.rewards import Categorical
from penalized_bandits.experiments.base import Context
from penalized_bandits.storage.files import read_json


def movie_rewards(context: Context, m0: int) -> Categorical:
    """Return the reward distributions of the movies with more than m0 ratings (R8, R9).

    Raises ValueError if the context has no table of rating counts. Raises DatasetConfigError if
    fewer than two movies have so many ratings; not where cases are only counted.
    """
    if context.rating_counts is None:
        raise ValueError("MovieLens arms need the table of rating counts")
    path = Path(context.rating_counts)
    if not context.drawn:
        n_movies = sum(n > m0 for n in _numbers(path, path.stat().st_mtime_ns))
        # A plan is made of everything, also of what nobody asks for and cannot be run.
        return Categorical(np.array([0.0, 1.0]), np.full((max(n_movies, 2), 2), 0.5))
    # Reading a config must not pay for pandas.
    from penalized_bandits.datasets.counts import check_enough_items, reward_distributions
    from penalized_bandits.datasets.counts_csv import read_counts_csv

    counts = read_counts_csv(path)
    check_enough_items(counts, m0, _name(path))
    movies = reward_distributions(counts, m0, context.readings.movielens_rewards)
    return Categorical(movies.support, movies.probabilities)


@cache
def _numbers(counts: Path, changed: int) -> list[int]:
    """Return the numbers of ratings of a table's movies, read once for all thresholds."""
    del changed  # a table that is written anew is read anew
    with counts.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        place = next(rows).index("n_ratings")
        return [int(row[place]) for row in rows]


def _name(counts: Path) -> str:
    """Return the name of the data set that a table of rating counts is of."""
    provenance = counts.with_name("provenance.json")
    return read_json(provenance)["dataset"] if provenance.is_file() else counts.name
