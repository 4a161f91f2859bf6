"""Penalized regret of every policy under Setting 5's reward laws and on MovieLens."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import Case, Context, Experiment, drawn_means, half_spread
from penalized_bandits.experiments.beyond.budget import Budget, budgeted_runs
from penalized_bandits.experiments.keys import (
    ArmNumbers,
    Fractions,
    RegretSection,
    Thresholds,
    shown,
)
from penalized_bandits.experiments.movies import movie_rewards
from penalized_bandits.experiments.paper.setting_5 import RewardLaws, family_of


class ExtendedRegret(RegretSection):
    """Section ``extended_regret`` of the config."""

    arms: ArmNumbers
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""
    rewards: RewardLaws
    m0: Thresholds
    """Thresholds of ratings: movies with more than m0 ratings are arms too."""
    tuning_values: Budget
    """Values of each policy's one tuned number, at the last horizon."""


def _bandits(
    section: ExtendedRegret, group: str, context: Context
) -> Iterator[tuple[str, float, FloatArray, RewardFamily]]:
    """Yield name, total tau, means and reward law of the bandits of a group."""
    for tau in section.fairness:
        if group.startswith("m0_"):
            movies = movie_rewards(context, int(group.removeprefix("m0_")))
            yield f"{group}_tau{shown(tau)}", tau, movies.means, movies
            continue
        n_arms = int(group.removeprefix("K"))
        for law in section.rewards:
            case = f"{group}_tau{shown(tau)}_{law}"
            # Setting 5's own means.
            means = drawn_means(context, n_arms, "setting_5", case)
            yield case, tau, means, family_of(law, n_arms)


def _cases(section: ExtendedRegret, group: str, context: Context) -> list[Case]:
    cases = []
    for case, tau, means, law in _bandits(section, group, context):
        n_arms = means.shape[-1]
        level = tau / n_arms * section.horizons[-1]
        runs = budgeted_runs(
            section.policies,
            section.horizons,
            context,
            half_spread(means),
            level,
            section.tuning_values,
        )
        cases.append(Case(case, means, np.full(n_arms, tau / n_arms), law, runs))
    return cases


EXPERIMENT = Experiment(
    id="extended_regret",
    title="Penalized regret of every policy under three reward laws and on MovieLens",
    section=ExtendedRegret,
    groups=lambda section: [
        *(f"K{n_arms}" for n_arms in section.arms),
        *(f"m0_{m0}" for m0 in section.m0),
    ],
    cases=_cases,
    readings=("log_of", "means", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
