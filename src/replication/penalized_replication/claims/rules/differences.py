"""Rules on the difference of two policies, all comparisons together (Holm)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from penalized_replication.claims.comparisons import Comparison, Measurement
from penalized_replication.claims.rules.base import Rule, status_of


@dataclass(frozen=True, kw_only=True)
class Family(Rule):
    """All comparisons are tests that share the level, Holm-adjusted in each direction."""

    def decide(self, measurements: Sequence[Measurement], shared: int = 1) -> list[Comparison]:
        """Return the comparison of each measurement, by the p-values of all."""
        from penalized_bandits.statistics.estimates import holm

        level, made = self.level / shared, self._each(measurements)
        members = [n for n, comparison in enumerate(made) if self._is_member(comparison)]
        chances = [[made[n].p_holds for n in members], [made[n].p_fails for n in members]]
        # One without p-values cannot be decided.
        adjusted = [holm(np.nan_to_num(p, nan=1.0)) for p in chances]
        for n, yes, no in zip(members, *adjusted, strict=True):
            if made[n].status != "vacuous":
                made[n] = replace(made[n], status=status_of(yes < level, no < level))
        return made

    def _is_member(self, comparison: Comparison) -> bool:
        """Return whether a comparison is a member of the family."""
        del comparison
        return True


@dataclass(frozen=True, kw_only=True)
class Less(Family):
    """One policy's mean is less than another's; data: values of both, (R,) each, paired.

    The reference scale is the other's mean, unless the measurement has one.
    """

    negligible: float = 0.01
    """Share of the reference scale within which a difference that is not clear is negligible."""
    scale: str = "the reference scale"
    """For reading."""
    side: ClassVar[str] = "below"
    sign: ClassVar[int] = -1

    def _condition(self) -> str:
        other = "above" if self.side == "below" else "below"
        return (
            f"holds if {self.side} 0, fails if {other}, at Holm-adjusted one-sided "
            f"p < {self.level:g} over all comparisons; negligible where neither is so and the "
            f"{100 * (1 - self.level):g} % interval is within {100 * self.negligible:g} % of "
            f"{self.scale}"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        from penalized_bandits.statistics.estimates import paired_difference

        ours, theirs = measurement.data
        pair, scale = paired_difference(ours, theirs, 1 - self.level), measurement.scale
        scale = abs(float(np.mean(theirs))) if np.isnan(scale) else scale
        chances = (pair.p_less, pair.p_greater)[:: -self.sign]
        limits = {"most": 0.0} if self.sign < 0 else {"least": 0.0}
        limits |= {"limit": 0.0, "reference_scale": scale}
        return measurement.compared(
            pair.difference.interval, "undecided", **limits, p_holds=chances[0], p_fails=chances[1]
        )

    def decide(self, measurements: Sequence[Measurement], shared: int = 1) -> list[Comparison]:
        """Return the comparison of each measurement; all tests share the level."""
        found = super().decide(measurements, shared)
        return [self._or_negligible(*pair) for pair in zip(found, measurements, strict=True)]

    def _or_negligible(self, comparison: Comparison, measurement: Measurement) -> Comparison:
        # The scale may be 0.
        small = (
            self._largest(measurement, comparison) < self.negligible * comparison.reference_scale
        )
        negligible = comparison.status == "undecided" and small
        return replace(comparison, status="negligible") if negligible else comparison

    def _largest(self, measurement: Measurement, comparison: Comparison) -> float:
        """Return the size of the end of the interval that is further from 0."""
        del measurement
        return max(abs(comparison.low), abs(comparison.high))


@dataclass(frozen=True, kw_only=True)
class More(Less):
    """One policy's mean is more than another's; data as of `Less`."""

    side: ClassVar[str] = "above"
    sign: ClassVar[int] = 1


@dataclass(frozen=True, kw_only=True)
class MoreAtEveryLevel(More):
    """One trade-off curve is above another at every level; data: a `CurveDifference`."""

    def _condition(self) -> str:
        return (
            "holds if above 0 at every level (largest one-sided p), fails if below 0 at one "
            f"(Bonferroni over levels), at Holm-adjusted p < {self.level:g} over all comparisons; "
            "negligible where neither is so and the 95 % interval is within "
            f"{100 * self.negligible:g} % of {self.scale} at every level"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        found = measurement.data
        p_fails = min(1.0, found.p_less.size * float(found.p_less.min()))
        limits = {"least": 0.0, "limit": 0.0, "p_fails": p_fails}
        interval = found.interval[:, found.worst]
        p_holds = float(found.p_greater.max())
        return measurement.compared(interval, "undecided", **limits, p_holds=p_holds)

    def _largest(self, measurement: Measurement, comparison: Comparison) -> float:
        """Return the size of the end furthest from 0 of the intervals at all levels."""
        del comparison
        found = measurement.data
        return math.inf if found is None else float(np.abs(found.interval).max())

    def facts(self, measurements: Sequence[Measurement]) -> dict[str, Any]:
        """Return ``negligible``, for the note."""
        del measurements
        return {"negligible": self.negligible}
