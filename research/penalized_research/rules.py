"""Rules of the research alone: differences by more than a margin."""

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penalized_bandits.statistics.estimates import paired_difference
from penalized_replication.claims.comparisons import Comparison, Interval, Measurement
from penalized_replication.claims.rules import Family, Within

if TYPE_CHECKING:
    from penalized_research.measures.comparison import Distance


@dataclass(frozen=True, kw_only=True)
class Margin(Family):
    """Differences up to a margin do not count."""

    margin: float = 0.01
    """As a share of the reference scale."""

    def _is_member(self, comparison: Comparison) -> bool:
        """Return whether a comparison has p-values."""
        return not math.isnan(comparison.p_holds)

    def _tested(
        self, measurement: Measurement, interval: Interval, limit: float, chances: tuple[float, ...]
    ) -> Comparison:
        """Return the comparison with its p-values; a reason makes it vacuous."""
        tests = {"p_holds": chances[0], "p_fails": chances[1]}
        status = "vacuous" if measurement.reason else "undecided"
        return measurement.compared(interval, status, limit=limit, most=limit, **tests)

    @property
    def _family(self) -> str:
        return f"Holm over all comparisons and the seeds of a confirmation, p < {self.level:g}"


@dataclass(frozen=True, kw_only=True)
class ClearlyLess(Margin):
    """One policy's mean is less than another's; data: values of both, (R,) each, paired.

    The scale is the other's mean.  What is the same within the margin is vacuous.
    """

    def _condition(self) -> str:
        return (
            f"holds if the first mean is below {1 - self.margin:g} times the other, fails if above "
            f"{1 + self.margin:g} times (paired t-tests, {self._family}); vacuous where the two "
            f"are the same within {100 * self.margin:g} % (both one-sided p < {self.level:g})"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        ours, theirs = measurement.data
        lower, upper = (paired_difference(ours, (1 + x * self.margin) * theirs) for x in (-1, 1))
        close = max(lower.p_greater, upper.p_less) < self.level
        reason = f"the same within {100 * self.margin:g} %" if close else ""
        reason = "the same in every replicate" if (ours == theirs).all() else reason
        scale = abs(float(theirs.mean()))
        means = {"ours": float(ours.mean()), "theirs": float(theirs.mean())}
        measurement = replace(measurement, scale=scale, reason=reason, values=means)
        interval, chances = paired_difference(ours, theirs), (lower.p_less, upper.p_greater)
        return self._tested(
            measurement, interval.difference.interval, -self.margin * scale, chances
        )


@dataclass(frozen=True, kw_only=True)
class NoMoreReward(Margin):
    """A policy has no more reward than the hard threshold; data: how far it is behind, `Distance`.

    The scale is the frontier's range.  What is the same is vacuous, and in no family.
    """

    def _condition(self) -> str:
        return (
            f"holds if below {100 * self.margin:g} %, fails if above (errors from a bootstrap of "
            f"replicates, Student's t, {self._family}); vacuous where the two reach no unfairness "
            "in common, or are the same there"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        behind: Distance = measurement.data
        value, low, high = behind.estimate.interval
        chances = (math.nan, math.nan) if behind.same else behind.p_values(-self.margin)
        reason = "the same there as the hard threshold" if behind.same else ""
        measurement = replace(measurement, scale=1.0, reason=reason)
        return self._tested(measurement, (-value, -high, -low), self.margin, chances)


def near_one(share: float, *, of: str, over: str, exact: bool = False) -> Within:
    """Return the rule that a ratio is 1 up to a share."""
    return Within(1 - share, 1 + share, centre=1.0, of=of, over=over, exact=exact)
