"""The bandits of Setting 1 changed: penalty rates that differ, heavy tails, shrinking fractions."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Gaussian, HeavyTailed
from penalized_bandits.policies import POLICIES
from penalized_replication.experiments import base, keys
from penalized_replication.experiments.base import Case, Context, declare


@declare("log_of", "means", "lfg", compared=True)
def heterogeneous_penalties(section: keys.GridSection, context: Context) -> Iterator[Case]:
    """Penalized regret where penalty rates differ between arms."""
    for n_arms, tau in product(section.arms, section.fairness):
        cell = base.drawn_cell(context, "setting_1", n_arms, tau)
        # From [0, 2 a], a the rate of Setting 1.
        shares = base.drawn_means(context, n_arms, "heterogeneous_penalties", cell.id)
        penalties = 2 * shares * base.half_spread(cell.means)
        runs = base.regret_runs(section.policies, section.horizons, context, penalties)
        yield replace(cell, runs=runs)


class HeavyTails(keys.RegretSection):
    arms: keys.ArmNumbers
    fairness: keys.Total
    tails: keys.Values[Annotated[float, Field(gt=1, le=100)]]
    """Tail indices of Pareto errors with Setting 1's median; the variance is infinite up to 2."""

    def _check(self) -> None:
        for policy in self.policies:
            if callable(POLICIES[policy].exploration):
                raise ValueError(f"policy {policy} needs sigma, which heavy tails lack")


@declare("log_of", "means", "lfg", compared=True)
def heavy_tails(section: HeavyTails, context: Context) -> Iterator[Case]:
    """Penalized regret under rewards with heavy tails."""
    for n_arms in section.arms:
        fairness = np.full(n_arms, section.fairness / n_arms)
        means = base.drawn_means(context, n_arms, "setting_1", f"K{n_arms}")
        rates = base.half_spread(means)
        runs = base.regret_runs(section.policies, section.horizons, context, rates)
        # Half of all errors lie within the median, which is Setting 1's for every tail.
        median = 0.6744897501960817 / n_arms
        for tail in section.tails:
            name = f"K{n_arms}_tail{keys.format_for_id(tail)}"
            rewards = HeavyTailed(median / (2 ** (1 / tail) - 1), tail)
            label = f"K = {n_arms}, tail index {tail:g}"
            yield Case(name, means, fairness, rewards, runs, label=label)


class ShrinkingFairness(keys.RegretSection):
    arms: keys.ArmNumbers
    powers: keys.Values[keys.Share]
    """Powers b of the fractions τ_k = T^−b/K."""


@declare("log_of", "means", "lfg", compared=True)
def shrinking_fairness(section: ShrinkingFairness, context: Context) -> Iterator[Case]:
    """Penalized regret where fairness fractions shrink with the horizon."""
    for n_arms in section.arms:
        means = base.drawn_means(context, n_arms, "setting_1", f"K{n_arms}")
        rates, noise = base.half_spread(means), Gaussian(1 / n_arms)
        for b, horizon in product(section.powers, section.horizons):
            fairness = np.full(n_arms, float(horizon) ** -b / n_arms)
            name, label = f"K{n_arms}_b{keys.format_for_id(b)}", f"K = {n_arms}, b = {b:g}"
            bandit = Case(name, means, fairness, noise, label=label)
            yield base.at_horizon(bandit, horizon, section.policies, context, rates)
