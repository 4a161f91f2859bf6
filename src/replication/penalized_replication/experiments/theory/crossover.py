"""Crossover: where the hard threshold overtakes UCB1, the soft threshold and ETC.

The bandits of Settings 1, 2 and 4, followed to far longer horizons than the paper's; where
the paper varies A, A_k = (max mu - min mu) / 2 as in Setting 1.  Explore-then-commit is tuned to
each horizon, which is an advantage that no other policy here has.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments import base, keys
from penalized_replication.experiments.movies import dataset_of, movies_with_rates


class CrossoverCase(keys.FairCase, keys.NamedCase):
    penalty: keys.Rate | None = None
    """Penalty rate A of every arm; in `crossover` by default half the range of the means."""
    group: keys.CaseName | None = None
    """Group of cases: `regret_decomposition` shows one of each."""


class MovieCrossover(keys.MoviesSection, keys.LongRegretSection):
    """Section ``movie_crossover`` of the config."""


class Crossover(keys.LongRegretSection, keys.GridSection):
    cases: dict[keys.CaseName, CrossoverCase]
    """Bandits by name, with Gaussian rewards of variance 1/K²."""

    def _check(self) -> None:
        for n_arms, tau in product(self.arms, self.fairness):
            if (cell := base.cell_id(n_arms, tau)) in self.cases:
                raise ValueError(f"cases.{cell} has the name of a cell of the grid: rename it")


def _bandits(section: Crossover, context: base.Context) -> Iterator[tuple[base.Case, FloatArray]]:
    # Means that are drawn once are those of Setting 1, whose horizons C34 takes for these cells.
    means = "setting_1" if context.interpretations.means == "once" else "crossover"
    for n_arms, tau in product(section.arms, section.fairness):
        cell = base.drawn_cell(context, means, n_arms, tau)
        yield cell, base.half_spread(cell.means)
    for name, given in section.cases.items():
        bandit = base.fixed_bandit(name, given, label=given.label, group=given.group)
        rates, rate = base.half_spread(bandit.means), given.penalty
        yield bandit, rates if rate is None else np.full(rates.size, rate)


@base.declare("log_of", "means")
def crossover(section: Crossover, context: base.Context) -> Iterator[base.Case]:
    """Penalized regret up to long horizons."""
    tuned = section.tuned_horizons
    for bandit, rates in _bandits(section, context):
        runs = base.regret_runs(section.policies, section.horizons, context, rates, tuned)
        yield replace(bandit, runs=runs)


@base.declare("log_of", "movielens_rewards")
def movie_crossover(section: MovieCrossover, context: base.Context) -> Iterator[base.Case]:
    """Penalized regret up to long horizons on movie ratings."""
    tuned = section.tuned_horizons
    for bandit, rates in movies_with_rates(section, context):
        identifier, label = f"movies_{bandit.id}", f"{dataset_of(context)}, {bandit.label}"
        runs = base.regret_runs(section.policies, section.horizons, context, rates, tuned)
        yield replace(bandit, id=identifier, label=label, runs=runs)
