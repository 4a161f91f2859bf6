"""Penalized regret against the number of arms, under Beta rewards."""

from collections.abc import Iterator
from dataclasses import replace

from penalized_replication.experiments import base, keys


class Seventh(keys.RegretSection):
    """Its section of the config: replicates, policies, horizons, and these."""

    arms: keys.ArmNumbers
    fairness: keys.Total


@base.declare("log_of", "means", "lfg")
def seventh(section: Seventh, context: base.Context) -> Iterator[base.Case]:
    """Penalized regret against the number of arms."""
    for n_arms in section.arms:
        cell = base.drawn_cell(context, "seventh", n_arms, section.fairness, "beta")
        rates = base.half_spread(cell.means)
        runs = base.regret_runs(section.policies, section.horizons, context, rates)
        yield replace(cell, runs=runs)
