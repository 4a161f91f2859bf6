"""Setting 1 (Figure 1): penalized regret against the horizon T."""

from dataclasses import replace
from itertools import product

from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    half_spread,
    regret_runs,
)
from penalized_bandits.experiments.cells import drawn_cell
from penalized_bandits.experiments.keys import ArmNumbers, Fractions, RegretSection


class Setting1(RegretSection):
    """Section ``setting_1`` of the config."""

    arms: ArmNumbers
    """Numbers of arms K."""
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""


def _cases(section: Setting1, context: Context) -> list[Case]:
    cases = []
    for n_arms, tau in product(section.arms, section.fairness):
        cell = drawn_cell(context, "setting_1", n_arms, tau)
        penalties = half_spread(cell.means)
        runs = regret_runs(section.policies, section.horizons, context, penalties)
        cases.append(replace(cell, runs=runs))
    return cases


EXPERIMENT = Experiment(
    id="setting_1",
    title="Penalized regret against the horizon",
    section=Setting1,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
