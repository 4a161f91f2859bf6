"""Setting 3 (Figure 3): reward against unfairness on movie ratings."""

import numpy as np

from penalized_bandits.common.section import Section
from penalized_bandits.experiments.base import Case, Context, Experiment, tradeoff_runs
from penalized_bandits.experiments.keys import (
    Fraction,
    GridSize,
    Horizon,
    Replicates,
    Thresholds,
    TradeoffPolicies,
)
from penalized_bandits.experiments.movies import movie_rewards


class Setting3(Section):
    """Section ``setting_3`` of the config."""

    replicates: Replicates
    policies: TradeoffPolicies
    horizon: Horizon
    fairness: Fraction
    """Total tau: each of the K movies has tau_k = tau / K (reading R8)."""
    m0: Thresholds
    """Thresholds: movies with more than m0 ratings are the arms (reading R9)."""
    tuning_values: GridSize
    """Tuning values of each policy."""


def _cases(section: Setting3, group: str, context: Context) -> list[Case]:
    rewards = movie_rewards(context, int(group.removeprefix("m0_")))
    n_arms = len(rewards.means)
    level = section.fairness / n_arms * section.horizon
    points = section.tuning_values
    return [
        Case(
            group,
            rewards.means,
            np.full(n_arms, section.fairness / n_arms),
            rewards,
            tradeoff_runs(
                section.policies, context.readings, section.horizon, level, points, n_arms
            ),
        )
    ]


EXPERIMENT = Experiment(
    id="setting_3",
    title="Reward against unfairness on movie ratings",
    section=Setting3,
    groups=lambda section: [f"m0_{m0}" for m0 in section.m0],
    cases=_cases,
    readings=("log_of", "movielens_rewards", "lfg"),
    needs_ratings=True,
    has_frontier=True,
)
