"""Penalized regret of every policy under Setting 5's reward laws and on MovieLens."""

from collections.abc import Iterator
from itertools import product

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
    section: ExtendedRegret, context: Context
) -> Iterator[tuple[str, float, FloatArray, RewardFamily]]:
    """Yield name, total tau, means and reward law of each bandit."""
    for n_arms, tau, law in product(section.arms, section.fairness, section.rewards):
        case = f"K{n_arms}_tau{shown(tau)}_{law}"
        # Setting 5's own means.
        means = drawn_means(context, n_arms, "setting_5", case)
        yield case, tau, means, family_of(law, n_arms)
    for m0, tau in product(section.m0, section.fairness):
        movies = movie_rewards(context, m0)
        yield f"m0_{m0}_tau{shown(tau)}", tau, movies.means, movies


def _cases(section: ExtendedRegret, context: Context) -> list[Case]:
    cases = []
    for case, tau, means, law in _bandits(section, context):
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
    cases=_cases,
    readings=("log_of", "means", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
