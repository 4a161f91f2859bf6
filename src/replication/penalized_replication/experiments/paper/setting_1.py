"""Setting 1 (Figure 1): penalized regret against the horizon T."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from penalized_replication.experiments import base, keys


@base.declare("log_of", "means", "lfg")
def setting_1(section: keys.GridSection, context: base.Context) -> Iterator[base.Case]:
    """Penalized regret against the horizon."""
    for n_arms, tau in product(section.arms, section.fairness):
        cell = base.drawn_cell(context, "setting_1", n_arms, tau)
        rates = base.half_spread(cell.means)
        runs = base.regret_runs(section.policies, section.horizons, context, rates)
        yield replace(cell, runs=runs)
