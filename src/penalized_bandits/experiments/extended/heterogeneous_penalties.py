"""Penalty rates that differ between arms: drawn from [0, 2 a], a the rate of Setting 1."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from penalized_bandits.experiments import base
from penalized_bandits.experiments.base import Case, Context, declare
from penalized_bandits.experiments.cells import drawn_cell
from penalized_bandits.experiments.keys import GridSection


@declare(
    "heterogeneous_penalties",
    title="Penalized regret where penalty rates differ between arms",
    readings=("log_of", "means", "lfg"),
    compared=True,
)
def heterogeneous_penalties(section: GridSection, context: Context) -> Iterator[Case]:
    for n_arms, tau in product(section.arms, section.fairness):
        cell = drawn_cell(context, "setting_1", n_arms, tau)
        shares = base.drawn_means(context, n_arms, "heterogeneous_penalties", cell.id)
        penalties = 2 * shares * base.half_spread(cell.means)
        runs = base.regret_runs(section.policies, section.horizons, context, penalties)
        yield replace(cell, runs=runs)
