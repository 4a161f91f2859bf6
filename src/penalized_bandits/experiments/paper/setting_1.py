"""Setting 1 (Figure 1): penalized regret against the horizon T."""

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
    regret_runs,
)
from penalized_bandits.experiments.keys import ArmNumbers, Fractions, RegretSection, format_for_id


class Setting1(RegretSection):
    """Section ``setting_1`` of the config."""

    arms: ArmNumbers
    """Numbers of arms K."""
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""


def _cases(section: Setting1, context: Context) -> list[Case]:
    cases = []
    for n_arms, tau in product(section.arms, section.fairness):
        case = f"K{n_arms}_tau{format_for_id(tau)}"
        means = drawn_means(context, n_arms, "setting_1", case)
        penalties = half_spread(means)
        runs = regret_runs(section.policies, section.horizons, context, penalties)
        fairness = np.full(n_arms, tau / n_arms)
        cases.append(
            Case(case, means, fairness, Gaussian(1 / n_arms), runs, label=cell_label(n_arms, tau))
        )
    return cases


EXPERIMENT = Experiment(
    id="setting_1",
    title="Penalized regret against the horizon",
    section=Setting1,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
