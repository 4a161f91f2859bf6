"""Many movies: MovieLens arms by the hundred."""

from dataclasses import replace

import numpy as np

from penalized_bandits.experiments.base import Case, Context, Experiment, regret_runs
from penalized_bandits.experiments.keys import ArmNumbers, Fraction, RegretSection
from penalized_bandits.experiments.movies import movie_bandit


class ManyArms(RegretSection):
    """Section ``many_arms`` of the config."""

    m0: ArmNumbers
    """Thresholds: movies with more than m0 ratings are the arms."""
    fairness: Fraction
    """Total tau: each movie has tau_k = tau / K."""


def _cases(section: ManyArms, context: Context) -> list[Case]:
    cases = []
    for m0 in section.m0:
        bandit = movie_bandit(context, m0, section.fairness)
        penalties = np.full(bandit.means.size, np.ptp(bandit.means) / 2)
        runs = regret_runs(section.policies, section.horizons, context, penalties)
        cases.append(replace(bandit, runs=runs))
    return cases


EXPERIMENT = Experiment(
    id="many_arms",
    title="Penalized regret with many movies for arms",
    section=ManyArms,
    cases=_cases,
    readings=("log_of", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
