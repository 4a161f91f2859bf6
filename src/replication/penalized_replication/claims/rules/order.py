"""The rule on which of two policies is ahead in the end."""

import math
from dataclasses import dataclass

import numpy as np

from penalized_replication.claims.comparisons import Comparison, Measurement, exact
from penalized_replication.claims.measures.crossing import PairedRegrets, crossing
from penalized_replication.claims.rules.base import Rule, status_of


@dataclass(frozen=True, kw_only=True)
class LastSign(Rule):
    """A policy has less regret than another from some horizon on.

    Data: `PairedRegrets`, or two of them, those with more replicates second: these give the
    horizon of the change where both agree that there is one.
    """

    within: bool
    """Whether the claim is judged within the horizons of the run: what has not happened by the
    last of them may happen later."""
    fewest: int = 3
    """Horizons that a change takes."""

    @property
    def can_fail(self) -> bool:
        """Whether a comparison can fail."""
        return self.within

    def _condition(self) -> str:
        opposite = "fails if it says more" if self.within else "never fails"
        test = f"t-test, Holm over horizons, p < {self.level:g}"
        return (
            "is estimated with its bootstrap interval; holds if the last clear sign of the paired "
            f"difference ({test}), up to the largest horizon, says less regret, {opposite}"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        first, *more = measurement.data
        found = self._compared(measurement, first)
        if not more or found.status != "holds":
            return found
        other = self._compared(measurement, more[0])
        if other.status != "holds" or math.isnan(other.estimate):
            return found
        values = {**other.values, "longer": [found.estimate, found.low, found.high]}
        interval = other.estimate, other.low, other.high
        return measurement.compared(interval, "holds", limit=found.limit, values=values)

    def _compared(self, measurement: Measurement, pair: PairedRegrets) -> Comparison:
        if len(pair.horizons) < self.fewest:
            return measurement.compared(exact(np.nan), "undecided", reason="too few horizons")
        sign, crossed, change_at = crossing(pair.horizons, pair.theirs, pair.ours, self.level)
        if sign == 0:
            reason = "no clear difference at any horizon"
            return measurement.compared(exact(np.nan), "undecided", reason=reason)
        ahead, behind = ("overtakes", "is overtaken") if crossed else ("always ahead", "not yet")
        values = {
            **measurement.values,
            "change": ahead if sign > 0 else behind,
            "first": pair.horizons[0],
            "last": pair.horizons[-1],
            "unworthy": pair.unworthy,
            "ratio": float(pair.ours[:, -1].mean() / pair.theirs[:, -1].mean()),
        }
        # The last horizon is no bound: how far from it they cross says nothing.
        limits = {"limit": float(pair.horizons[-1]), "values": values}
        status = status_of(sign > 0, self.within and sign < 0)
        return measurement.compared(change_at.interval, status, **limits)
