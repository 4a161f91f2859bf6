"""Setting 1 with every policy, as published and with the same tuning budget."""

from itertools import product

import numpy as np

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    cell_label,
    drawn_means,
    half_spread,
)
from penalized_bandits.experiments.extended.budget import Budget, budgeted_runs
from penalized_bandits.experiments.keys import ArmNumbers, Fractions, RegretSection, format_for_id


class Extended1(RegretSection):
    """Section ``extended_1`` of the config."""

    arms: ArmNumbers
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""
    tuning_values: Budget
    """Values of each policy's one tuned number, at the last horizon."""


def _cases(section: Extended1, context: Context) -> list[Case]:
    cases = []
    for n_arms, tau in product(section.arms, section.fairness):
        case = f"K{n_arms}_tau{format_for_id(tau)}"
        # Setting 1's own means.
        means = drawn_means(context, n_arms, "setting_1", case)
        penalties = half_spread(means)
        level = tau / n_arms * section.horizons[-1]
        runs = budgeted_runs(
            section.policies, section.horizons, context, penalties, level, section.tuning_values
        )
        fairness, label = np.full(n_arms, tau / n_arms), cell_label(n_arms, tau)
        cases.append(Case(case, means, fairness, Gaussian(1 / n_arms), runs, label=label))
    return cases


EXPERIMENT = Experiment(
    id="extended_1",
    title="Penalized regret of every policy in Setting 1",
    section=Extended1,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
