"""Fairness fractions that depend on the horizon, tau_k(T) = T^-b / K."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.experiments import base
from penalized_bandits.experiments.base import Case, Context, declare
from penalized_bandits.experiments.keys import ArmNumbers, RegretSection, Values, format_for_id


class ShrinkingFairness(RegretSection):
    """Section ``shrinking_fairness`` of the config."""

    arms: ArmNumbers
    powers: Values[Annotated[float, Field(gt=0, lt=1)]]
    """Values of b."""


@declare(
    "shrinking_fairness",
    title="Penalized regret where fairness fractions shrink with the horizon",
    readings=("log_of", "means", "lfg"),
    compared=True,
)
def shrinking_fairness(section: ShrinkingFairness, context: Context) -> Iterator[Case]:
    for n_arms in section.arms:
        means = base.drawn_means(context, n_arms, "setting_1", f"K{n_arms}")
        rates, noise = base.half_spread(means), Gaussian(1 / n_arms)
        for b, horizon in product(section.powers, section.horizons):
            fairness = np.full(n_arms, float(horizon) ** -b / n_arms)
            name, label = f"K{n_arms}_b{format_for_id(b)}", f"K = {n_arms}, b = {b:g}"
            runs = base.regret_runs(section.policies, [horizon], context, rates)
            yield base.at_horizon(Case(name, means, fairness, noise, label=label), horizon, runs)
