"""The price of learning under hard floors: few rounds are free, penalty rates are 1 or more.

All arms have the mean 1/2 but one, which is ahead by a multiple of 1/sqrt(w), w the water level.
Floors are equal, or the first arm has all of them, and is the one that is ahead or is not.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import sqrt
from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments.base import Case, Context, at_horizon, declare
from penalized_replication.experiments.keys import RegretSection, Values
from penalized_research.theory.floors import water_level

STUDIES: tuple[str, ...] = ("floors", "floors_many")
"""Ids of the sections: with few arms, and with many on fewer replicates."""
EQUAL, ONE = "equal", "one"
"""Groups of bandits: how the floors are shared."""
AHEAD = (1.0, 2.0, 4.0)
"""Multiples of 1/sqrt(w) by which an arm is ahead."""
FREE_PER_ARM = 2
"""Fewer free rounds than these an arm, and the rounding of floors would hide the rest."""


class FloorsSection(RegretSection):
    arms: Values[Annotated[int, Field(ge=2, le=1000)]]
    """Number of arms K, or a list."""
    free: Values[Annotated[float, Field(gt=0, le=1)]]
    """Values of 1 − Σ τ_k, above 0."""
    rates: Values[Annotated[float, Field(ge=1)]]
    """Penalty rates A, the same for all arms, at least 1."""


def fractions_of(kind: str, arms: int, free: float) -> FloatArray:
    """Return the fairness fractions, shape (K,), whose floors leave a share of the rounds free."""
    if kind == ONE:
        return np.where(np.arange(arms) == 0, 1 - free, 0.0)
    return np.full(arms, (1 - free) / arms)


@declare("log_of")
def floors(section: FloorsSection, context: Context) -> Iterator[Case]:
    """Regret under hard floors."""
    kinds = product(section.horizons, section.arms, section.free, (EQUAL, ONE), section.rates)
    for horizon, arms, free, kind, rate in kinds:
        if free * horizon < FREE_PER_ARM * arms or (free == 1 and kind == ONE):
            continue
        tau = fractions_of(kind, arms, free)
        places = (0, 1) if kind == ONE else (1,)
        for ahead, place in product(AHEAD, places):
            gap = min(ahead / sqrt(water_level(tau, horizon)), 0.5)
            means = np.where(np.arange(arms) == place, 0.5 + gap, 0.5)
            name = f"K{arms}_free{free:g}_{kind}_rate{rate:g}_arm{place + 1}_ahead{ahead:g}"
            label = f"K = {arms}, δ = {free:g}, {kind}, A = {rate:g}, arm {place + 1} ahead"
            label += f" by {ahead:g}/√w"
            case = Case(name, means, tau, Bernoulli(), (), label=label, group=kind)
            yield at_horizon(case, horizon, section.policies, context, np.full(arms, rate))


floors_many = replace(floors, id="floors_many", title="Regret under hard floors, many arms")
