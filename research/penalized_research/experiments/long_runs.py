"""Long horizons, at which policies may keep the log T law; and movies for arms by the hundred."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments import base
from penalized_replication.experiments.base import Case, Context, declare
from penalized_replication.experiments.keys import CaseName, FairCase, MoviesSection, Rate, feasible
from penalized_replication.experiments.movies import movies_with_rates


class LongCase(FairCase):
    """A bandit with fixed means and penalty rates."""

    penalties: list[Rate]
    """Penalty rates A_k of the arms."""

    def _check(self) -> None:
        feasible(self.means, fairness=self.fairness, penalties=self.penalties)


class LongRuns(MoviesSection):
    cases: dict[CaseName, LongCase]
    """Bandits by name, each with Gaussian and with Bernoulli rewards."""


def _bandits(section: LongRuns, context: Context) -> Iterator[tuple[Case, FloatArray]]:
    """Yield each bandit without runs, and its penalty rates."""
    for case, given in section.cases.items():
        for law in (Gaussian(1 / len(given.means)), Bernoulli()):
            label = f"{case.replace('_', ' ')}, {law.id.capitalize()}"
            bandit = base.fixed_bandit(f"{case}_{law.id}", given, law, label=label)
            yield bandit, np.array(given.penalties)
    yield from movies_with_rates(section, context)


@declare("log_of", "movielens_rewards", "lfg", compared=True)
def long_runs(section: LongRuns, context: Context) -> Iterator[Case]:
    """Penalized regret of policies with a threshold up to long horizons."""
    # A case for each horizon, on random numbers of its own: fits take them as independent.
    for (bandit, rates), horizon in product(_bandits(section, context), section.horizons):
        yield base.at_horizon(bandit, horizon, section.policies, context, rates)


# Its bandits are those of long_runs, where the paper's policy is.
long_runs_kl = replace(
    long_runs,
    id="long_runs_kl",
    title=f"{long_runs.title}: those whose pulls are dear",
    compared=False,
)


@declare("log_of", "movielens_rewards", "lfg", compared=True)
def many_arms(section: MoviesSection, context: Context) -> Iterator[Case]:
    """Penalized regret with many movies for arms."""
    for bandit, rates in movies_with_rates(section, context):
        runs = base.regret_runs(section.policies, section.horizons, context, rates)
        yield replace(bandit, runs=runs)
