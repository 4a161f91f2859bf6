"""Many movies: MovieLens arms by the hundred."""

import numpy as np

from penalized_bandits.experiments.base import Case, Context, Experiment, regret_runs
from penalized_bandits.experiments.keys import ArmNumbers, Fraction, RegretSection
from penalized_bandits.experiments.movies import movie_rewards


class ManyArms(RegretSection):
    """Section ``many_arms`` of the config."""

    m0: ArmNumbers
    """Thresholds: movies with more than m0 ratings are the arms."""
    fairness: Fraction
    """Total tau: each movie has tau_k = tau / K."""


def _cases(section: ManyArms, context: Context) -> list[Case]:
    cases = []
    for m0 in section.m0:
        rewards = movie_rewards(context, m0)
        n_arms = len(rewards.means)
        penalties = np.full(n_arms, np.ptp(rewards.means) / 2)
        runs = regret_runs(section.policies, section.horizons, context, penalties)
        fairness = np.full(n_arms, section.fairness / n_arms)
        cases.append(Case(f"m0_{m0}", rewards.means, fairness, rewards, runs))
    return cases


EXPERIMENT = Experiment(
    id="many_arms",
    title="Penalized regret with many movies for arms",
    section=ManyArms,
    cases=_cases,
    readings=("log_of", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
