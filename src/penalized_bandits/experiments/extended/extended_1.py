"""Setting 1 with every policy, as published and with the same tuning budget."""

from collections.abc import Iterator
from itertools import product

from penalized_bandits.experiments.base import Case, Context, Experiment
from penalized_bandits.experiments.cells import drawn_cell
from penalized_bandits.experiments.extended.budget import Budget, with_budgeted_runs
from penalized_bandits.experiments.keys import GridSection


class Extended1(GridSection):
    """Section ``extended_1`` of the config."""

    tuning_values: Budget
    """Values of each policy's one tuned number, at the last horizon."""


def _cases(section: Extended1, context: Context) -> Iterator[Case]:
    for n_arms, tau in product(section.arms, section.fairness):
        cell = drawn_cell(context, "setting_1", n_arms, tau)
        yield with_budgeted_runs(cell, section, context, section.tuning_values)


EXPERIMENT = Experiment(
    id="extended_1",
    title="Penalized regret of every policy in Setting 1",
    section=Extended1,
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
