"""Setting 1 with every policy, as published and with the same tuning budget."""

from dataclasses import replace
from itertools import product

from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    half_spread,
)
from penalized_bandits.experiments.cells import drawn_cell
from penalized_bandits.experiments.extended.budget import Budget, budgeted_runs
from penalized_bandits.experiments.keys import ArmNumbers, Fractions, RegretSection


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
        cell = drawn_cell(context, "setting_1", n_arms, tau)
        penalties, level = half_spread(cell.means), tau / n_arms * section.horizons[-1]
        runs = budgeted_runs(
            section.policies, section.horizons, context, penalties, level, section.tuning_values
        )
        cases.append(replace(cell, runs=runs))
    return cases


EXPERIMENT = Experiment(
    id="extended_1",
    title="Penalized regret of every policy in Setting 1",
    section=Extended1,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
