"""Rules on one number beside limits: its whole interval on one side, or between two.

The data are an `Interval`, or the values of the replicates, shape (R,): their mean is estimated by
a t-interval; of a boolean array, whether something happened, the share by Wilson's interval.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from penalized_bandits.common.numbers import format_number
from penalized_replication.claims.comparisons import Comparison, Interval, Measurement
from penalized_replication.claims.rules.base import Rule, status_of


@dataclass(frozen=True, kw_only=True)
class Limits(Rule):
    """The limits are multiples of `Measurement.unit`, from its ``origin`` on, these included."""

    times: str = ""
    """The unit, and the origin, for reading."""
    exact: bool = False
    """Whether the number has no interval: nothing is random, or every replicate has to comply."""
    together: bool = False
    """Whether the intervals of all comparisons hold at once (Bonferroni)."""
    rounding: float = 0.0
    """Distance from a limit that is let pass."""

    def decide(self, measurements: Sequence[Measurement], shared: int = 1) -> list[Comparison]:
        """Return the comparison of each measurement."""
        each = self.level / shared / max(len(measurements), 1) if self.together else self.level
        return replace(self, level=each)._each(measurements)

    def _compare(self, measurement: Measurement) -> Comparison:
        data, unit, origin = measurement.data, measurement.unit, measurement.origin
        ends = (x if math.isinf(x) else origin + unit * x for x in self._ends())
        least, most, limit = ends
        trials = data.size if isinstance(data, np.ndarray) and data.dtype == bool else 0
        interval = interval_of(data, 1 - self.level)
        status = status_of(*self._decided(interval, (least, most, limit)))
        limits = {"least": least, "most": most, "limit": limit, "trials": trials}
        return measurement.compared(interval, status, **limits)

    @abstractmethod
    def _ends(self) -> Interval:
        """Return the least, the most, and what the estimate is compared with."""

    def _decided(self, interval: Interval, limits: Interval) -> tuple[bool, bool]:
        """Return whether a comparison holds, and whether it fails."""
        _, low, high = interval
        least, most = limits[0] - self.rounding, limits[1] + self.rounding
        return low >= least and high <= most, high < least or low > most

    def _limit(self, value: float) -> str:
        text = format_number(value)
        return f"{text} × {self.times}" if self.times and value != 1 else self.times or text

    def _holds(self, where: str) -> str:
        """Return the condition of a number that is to lie somewhere."""
        together = " over all comparisons (Bonferroni)" if self.together else ""
        whole = f" with its whole {100 * (1 - self.level):g} % interval{together}"
        return f"holds if {where}" + (
            ", fails if not" if self.exact else f"{whole}, fails if none of it is"
        )


@dataclass(frozen=True)
class Below(Limits):
    """A comparison holds if the number lies below a limit."""

    limit: float
    side: ClassVar[int] = -1

    def _condition(self) -> str:
        return self._holds(f"{'below' if self.side < 0 else 'above'} {self._limit(self.limit)}")

    def _ends(self) -> Interval:
        least, most = sorted((self.limit, self.side * math.inf))
        return least, most, self.limit

    def _decided(self, interval: Interval, limits: Interval) -> tuple[bool, bool]:
        """Return whether a comparison holds, and whether it fails; the limit itself is outside."""
        near, far = sorted(self.side * x for x in interval[1:])
        limit = self.side * limits[2] - self.rounding
        return near > limit, far <= limit


@dataclass(frozen=True)
class Above(Below):
    """A comparison holds if the number lies above a limit."""

    side: ClassVar[int] = 1


@dataclass(frozen=True)
class Within(Limits):
    """A comparison holds if the number is between two limits, these included."""

    least: float = -math.inf
    most: float = math.inf
    _: KW_ONLY
    centre: float = math.nan
    """What is claimed."""
    around: str = ""
    """What the origin is, for reading: the limits are as far from it on both sides."""

    def _condition(self) -> str:
        least, most = self._limit(self.least), self._limit(self.most)
        if self.around:
            return self._holds(f"within {most} of {self.around}")
        if math.isinf(self.least):
            return self._holds(f"at most {most}")
        return self._holds(
            f"at least {least}" if math.isinf(self.most) else f"from {least} to {most}"
        )

    def _ends(self) -> Interval:
        return self.least, self.most, self.centre


@dataclass(frozen=True)
class Exactly(Limits):
    """A comparison holds if the number is the one claimed, up to rounding."""

    value: float

    def _condition(self) -> str:
        rounding = f" up to {self.rounding:g}" if self.rounding else ""
        return f"holds if {self._limit(self.value)}{rounding}, fails if not"

    def _ends(self) -> Interval:
        return self.value, self.value, self.value


@dataclass(frozen=True)
class RareWithoutRise(Below):
    """A share is small at the last horizon and not larger than at the first.

    Data: whether it happened at the last horizon, and at the first, shape (R,) each.
    """

    rise_level: float

    def _condition(self) -> str:
        rise = f"(Fisher's exact test, one side, level {self.rise_level:g})"
        return f"{super()._condition()}, or if larger than at the first horizon {rise}"

    def _compare(self, measurement: Measurement) -> Comparison:
        from scipy.stats import fisher_exact

        last, first = measurement.data
        counts = [[short.sum(), (~short).sum()] for short in (last, first)]
        p_value: Any = fisher_exact(counts, alternative="greater")[1]
        comparison = super()._compare(replace(measurement, data=last))
        return replace(comparison, status="fails") if p_value < self.rise_level else comparison


def interval_of(data: Any, confidence: float) -> Interval:
    """Return an interval itself; of values or events of replicates (R,) that of their mean."""
    from penalized_bandits.statistics.estimates import mean_estimate, wilson

    if not isinstance(data, np.ndarray):
        return data
    if data.dtype == bool:
        return wilson(int(data.sum()), data.size, confidence).interval
    return mean_estimate(data, level=confidence).interval
