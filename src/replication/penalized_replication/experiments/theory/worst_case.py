"""Worst case over gaps: the largest regret among many gaps, at each horizon (Theorem 4.5).

One arm is better than the others by a gap Delta, which runs over multiples of
sqrt(K log T / T), the scale on which a gap is hardest to see.  The penalty rate is a
multiple of the gap: below 1 all other arms are non-critical, above 1 critical.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments import base, keys

LARGEST_GAP = 0.5


class WorstCase(keys.RegretSection):
    arms: keys.SeveralArms
    fairness: keys.Total
    gaps: Annotated[keys.Rates, AfterValidator(keys.increasing)]
    """Gaps Δ in multiples of √(K log T/T), increasing; a gap above 1/2 is 1/2, and the last."""
    penalty_ratios: keys.Rates
    """Penalty rates A in multiples of Δ."""

    def gap_at(self, multiple: float, horizon: int) -> float:
        """Return the gap Delta that a multiple stands for."""
        return multiple * math.sqrt(self.arms * math.log(horizon) / horizon)

    def bandits(self, horizon: int) -> Iterator[tuple[base.Case, FloatArray]]:
        """Yield the bandit of each case at a horizon, without runs, and its penalty rates."""
        fairness = np.full(self.arms, self.fairness / self.arms)
        for multiple in self.gaps:
            gap = min(self.gap_at(multiple, horizon), LARGEST_GAP)
            means = np.full(self.arms, 0.5)
            means[0] += gap
            for ratio in self.penalty_ratios:
                name = f"gap{keys.format_for_id(multiple)}_ratio{keys.format_for_id(ratio)}"
                label = f"Δ = {multiple:g} √(K log T / T), A = {ratio:g} Δ"
                bandit = base.Case(name, means, fairness, Bernoulli(), label=label)
                yield bandit, np.full(self.arms, ratio * gap)
            if gap == LARGEST_GAP:
                break


@base.declare("log_of")
def worst_case(section: WorstCase, context: base.Context) -> Iterator[base.Case]:
    """The largest regret over gaps."""
    for horizon in section.horizons:
        for bandit, rates in section.bandits(horizon):
            case = base.at_horizon(bandit, horizon, section.policies, context, rates)
            yield replace(case, id=f"T{horizon}_{bandit.id}")
