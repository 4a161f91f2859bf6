"""Floors and ceilings: bandits whose pulls are worth less from a share of the rounds on."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_replication.experiments import keys
from penalized_replication.experiments.base import Case, Context, at_horizon, declare
from penalized_research.experiments.long_runs import LongCase

HARD = "hard"


class StairsInstance(LongCase):
    ceilings: list[Annotated[float, Field(gt=0, le=1)]] | None = None
    """Ceilings c_k; none by default."""
    excess_penalties: list[keys.Rate | Literal["hard"]] | None = None
    """Rates B_k above them, or `hard`."""

    @property
    def limits(self) -> dict[str, Any]:
        """Ceilings and excess penalties, as parameters of an instance."""
        if self.ceilings is None or self.excess_penalties is None:
            return {}
        costs = [float("inf") if cost == HARD else float(cost) for cost in self.excess_penalties]
        return {"ceilings": self.ceilings, "excess_penalties": costs}

    def _check(self) -> None:
        if (self.ceilings is None) != (self.excess_penalties is None):
            raise ValueError("ceilings and excess_penalties must be given together")
        # Fractions may sum to 1, unlike those of other experiments.
        Instance(self.means, self.fairness, self.penalties, Bernoulli(), **self.limits)


class StairsSection(keys.RegretSection):
    instances: keys.Named[StairsInstance]


@declare("log_of")
def stairs(section: StairsSection, context: Context) -> Iterator[Case]:
    """Regret over log T under floors and ceilings."""
    # Each horizon on random numbers of its own, as fits take them.
    for (name, given), horizon in product(section.instances.items(), section.horizons):
        means, fairness = np.array(given.means), np.array(given.fairness)
        bandit = Case(name, means, fairness, Bernoulli(), ceilings=given.limits)
        rates = np.array(given.penalties)
        yield at_horizon(bandit, horizon, section.policies, context, rates)
