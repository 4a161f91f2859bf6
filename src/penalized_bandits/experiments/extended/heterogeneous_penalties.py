"""Penalty rates that differ between arms: drawn from [0, 2 a], a the rate of Setting 1."""

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


class HeterogeneousPenalties(RegretSection):
    """Section ``heterogeneous_penalties`` of the config."""

    arms: ArmNumbers
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""


def _cases(section: HeterogeneousPenalties, context: Context) -> list[Case]:
    cases = []
    for n_arms, tau in product(section.arms, section.fairness):
        case = f"K{n_arms}_tau{format_for_id(tau)}"
        means = drawn_means(context, n_arms, "setting_1", case)
        shares = drawn_means(context, n_arms, "heterogeneous_penalties", case)
        penalties = 2 * shares * half_spread(means)
        runs = regret_runs(section.policies, section.horizons, context, penalties)
        fairness, label = np.full(n_arms, tau / n_arms), cell_label(n_arms, tau)
        cases.append(Case(case, means, fairness, Gaussian(1 / n_arms), runs, label=label))
    return cases


EXPERIMENT = Experiment(
    id="heterogeneous_penalties",
    title="Penalized regret where penalty rates differ between arms",
    section=HeterogeneousPenalties,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
