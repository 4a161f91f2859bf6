"""Horizon series of the sharp studies, and the term of regret that carries the constant.

With N the arms of Delta_k > A_k, regret is the sum over N of (Delta_k - A_k) N_k(T) and a rest
that stays bounded (theorem A, part 4).  The first sum, here the leading term, grows like log T.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Self

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.limits import log_constant
from penalized_replication.claims.base import Evidence, grouped
from penalized_replication.claims.horizon_series import HorizonSeries
from penalized_replication.claims.measures.fluid_law import FluidComparison
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome

STUDIES = ("sharp_short", "sharp_long", "sharp_kl")
SETTLED = 30_000
"""Laws are compared with runs from here on: before, non-critical arms have their fairness level."""
LATE = 100_000
"""Statements that hold from some round on are checked from here on."""
SETTLED_IF = "√(2 log T/(τ_k T)) ≤ |A_k − Δ_k| for every arm of A_k ≠ Δ_k"
"""When a series has settled, in the words of a rule (`SharpSeries.settled_since`)."""


@dataclass(frozen=True, eq=False)
class SharpSeries(HorizonSeries):
    """One policy on one bandit at m horizons, each on random numbers of its own."""

    earlier: tuple[Outcome, ...] = ()
    """The longest runs themselves, after fewer rounds."""

    @property
    def margins(self) -> FloatArray:
        """Delta - A of the non-critical arms, 0 of all others, shape (K,)."""
        return np.maximum(-self.bandit.margins, 0.0)

    @property
    def served(self) -> BoolArray:
        """Arms with A > Delta, which keep their level, shape (K,)."""
        return self.bandit.margins > 0

    @property
    def exploration(self) -> Exploration:
        """The exploration of the policy."""
        rule = exploration_of(self.policy, self.law.noise, law=self.law)
        assert rule is not None  # noqa: S101
        return rule

    @property
    def constant(self) -> float:
        """Limit of the leading term over log T under the prediction."""
        return float(log_constant(self.bandit, self.exploration))

    def from_horizon(self, first: int) -> Self:
        """Return the series from a horizon on; raise NotMeasuredError if there is none so large."""
        late = self.since(first)
        if not len(late):
            raise NotMeasuredError(f"no horizon of {self.instance} is as large as {first}")
        return late

    def _settled(self, horizon: int) -> bool:
        """Whether the published radius of each arm at its level is within |A - Delta|."""
        level = (self.bandit.fairness * self.bandit.margins**2 * horizon)[self.bandit.margins != 0]
        return bool((2 * np.log(horizon) <= level).all())

    def settled_since(self, first: int) -> Self:
        """Return the settled horizons from a given one on, which may be none."""
        late = [o for o in self.outcomes if o.horizon >= first and self._settled(o.horizon)]
        return replace(self, outcomes=tuple(late))

    def ends(self) -> tuple[Outcome, Outcome] | None:
        """Return the longest runs when they had settled, and at their end; None without the two."""
        early = [one for one in self.earlier if self._settled(one.horizon)]
        return (early[0], self.last) if early else None

    def leading(self, one: Outcome) -> FloatArray:
        """Return the leading term of each replicate, (R,)."""
        return (one.pulls * self.margins).sum(axis=1)

    def predicted(self, horizon: float) -> float:
        """Return the fluid prediction of the leading term."""
        pulls = predicted_pulls(self.bandit, horizon, rule=self.exploration)
        return float((pulls * self.margins).sum())

    def comparison(self) -> FluidComparison:
        """Return the leading term beside its prediction."""
        predicted = [np.full(1, self.predicted(t)) for t in self.rounds]
        measured = [self.leading(one) for one in self.outcomes]
        return FluidComparison(self.rounds, measured, predicted, fields=self.about())


def sharp_series(
    evidence: Evidence, policies: Sequence[str], studies: Sequence[str] = STUDIES
) -> list[SharpSeries]:
    """Return the series of some policies on all their bandits; raise NotMeasuredError if none."""
    played = [x for x in product(studies, policies) if x[1] in evidence.section(x[0]).policies]
    outcomes = (one for study, p in played for one in evidence.outcomes(study, policy=p))
    if not played:
        raise NotMeasuredError(f"no study has the policies {', '.join(policies)}")
    series: list[SharpSeries] = []
    for (_, instance), runs in grouped(outcomes, lambda x: (x.policy, x.info.instance)).items():
        runs.sort(key=lambda one: one.horizon)
        ends = tuple(one for one in runs if one.horizon == one.info.horizon)
        earlier = tuple([one for one in runs if one.case == ends[-1].case][:-1])
        series.append(SharpSeries(instance, ends[0].info.label, ends, earlier))
    return series
