"""Two instances that no policy can both do well on (Theorem 4.8).

In the first, arm 1 has mean Delta and all others 0; in the second, one of the others has
2 Delta: the one that the policy pulls least in the first.  All of them are simulated, and
the choice is left to who reads the table.  Rewards have variance 1.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from penalized_bandits.bandit.rewards import Gaussian
from penalized_replication.experiments import base, keys


class TwoInstances(keys.RegretSection):
    arms: keys.SeveralArms
    fairness: keys.Total
    penalty: keys.Rate
    """Penalty rate A of every arm, above the gap √((K − 1)/(2T)) for the theorem."""

    def _check(self) -> None:
        if self.gap_at(self.horizons[0]) > 0.5:
            raise ValueError(f"horizons must be at least 2 (K - 1) = {2 * (self.arms - 1)}")

    def gap_at(self, horizon: int) -> float:
        """Return Delta = sqrt((K - 1) / (2 T)), as KL(P_1, P_2) <= 2 T Delta^2 / (K - 1)."""
        return math.sqrt((self.arms - 1) / (2.0 * horizon))


@base.declare("log_of", "lfg")
def two_instances(section: TwoInstances, context: base.Context) -> Iterator[base.Case]:
    """Two instances that no policy can both do well on."""
    fairness = np.full(section.arms, section.fairness / section.arms)
    rates = np.full(section.arms, section.penalty)
    for horizon, better in product(section.horizons, (None, *range(2, section.arms + 1))):
        means = np.zeros(section.arms)
        means[0] = section.gap_at(horizon)
        name, label = "first", "first instance"
        if better is not None:
            means[better - 1] = 2 * means[0]
            name, label = f"arm{better}", f"arm {better} better"
        bandit = base.Case(name, means, fairness, Gaussian(1.0), label=label)
        case = base.at_horizon(bandit, horizon, section.policies, context, rates)
        yield replace(case, id=f"T{horizon}_{name}")
