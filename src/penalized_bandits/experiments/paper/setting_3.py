"""Setting 3 (Figure 3): reward against unfairness on movie ratings."""

import numpy as np

from penalized_bandits.experiments.base import Case, Context, Experiment, tradeoff_runs
from penalized_bandits.experiments.keys import Fraction, Thresholds, TradeoffSection
from penalized_bandits.experiments.movies import movie_rewards


class Setting3(TradeoffSection):
    """Section ``setting_3`` of the config."""

    fairness: Fraction
    """Total tau: each of the K movies has tau_k = tau / K (reading R8)."""
    m0: Thresholds
    """Thresholds: movies with more than m0 ratings are the arms (reading R9)."""


def _cases(section: Setting3, context: Context) -> list[Case]:
    cases = []
    for m0 in section.m0:
        rewards = movie_rewards(context, m0)
        n_arms = len(rewards.means)
        runs = tradeoff_runs(section, context, n_arms, section.fairness)
        fairness = np.full(n_arms, section.fairness / n_arms)
        cases.append(Case(f"m0_{m0}", rewards.means, fairness, rewards, runs))
    return cases


EXPERIMENT = Experiment(
    id="setting_3",
    title="Reward against unfairness on movie ratings",
    section=Setting3,
    cases=_cases,
    readings=("log_of", "movielens_rewards", "lfg"),
    needs_ratings=True,
    has_frontier=True,
)
