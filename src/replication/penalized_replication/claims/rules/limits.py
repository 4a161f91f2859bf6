"""Rules on one number beside limits: its whole interval on one side, or between two.

The data are an `Interval`, or the values of the replicates, shape (R,): their mean is estimated by
a t-interval; of a boolean array, whether something happened, the share by Wilson's interval.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from penalized_bandits.common.numbers import format_number
from penalized_replication.claims.comparisons import Comparison, Interval, Measurement
from penalized_replication.claims.rules.base import Rule, status_of


@dataclass(frozen=True, kw_only=True)
class Limits(Rule):
    """The limits are multiples of `Measurement.unit`, from its ``origin`` on."""

    times: str = ""
    """The unit, and the origin, for reading."""
    together: bool = False
    """Whether the intervals of all comparisons hold at once (Bonferroni); data are values."""
    rounding: float = 0.0
    """Distance from a limit that is let pass."""

    def decide(self, measurements: Sequence[Measurement], shared: int = 1) -> list[Comparison]:
        """Return the comparison of each measurement."""
        level = self.level / shared / max(len(measurements), 1) if self.together else self.level
        return [self._beside(measurement, level) for measurement in measurements]

    def _beside(self, measurement: Measurement, level: float) -> Comparison:
        data, unit, origin = measurement.data, measurement.unit, measurement.origin
        if data is None:
            return self.compared(measurement)
        least, most, limit = (origin + unit * end for end in self._ends())
        trials = data.size if isinstance(data, np.ndarray) and data.dtype == bool else 0
        interval = interval_of(data, 1 - level)
        status = status_of(*self._decided(interval, (least, most, limit)))
        limits = {"least": least, "most": most, "limit": limit, "trials": trials}
        return measurement.compared(interval, status, **limits)

    def _ends(self) -> Interval:
        """Return the least, the most, and what the estimate is compared with."""
        raise NotImplementedError

    def _decided(self, interval: Interval, limits: Interval) -> tuple[bool, bool]:
        """Return whether a comparison holds, and whether it fails."""
        raise NotImplementedError

    def _limit(self, value: float) -> str:
        text = format_number(value)
        return f"{text} × {self.times}" if self.times and value != 1 else self.times or text

    @property
    def _whole(self) -> str:
        together = " over all comparisons (Bonferroni)" if self.together else ""
        return f"with its whole {100 * (1 - self.level):g} % interval{together}"


@dataclass(frozen=True)
class Below(Limits):
    """A comparison holds if the number lies below a limit."""

    limit: float

    def _condition(self) -> str:
        return f"holds if below {self._limit(self.limit)} {self._whole}, fails if none of it is"

    def _ends(self) -> Interval:
        return -math.inf, self.limit, self.limit

    def _decided(self, interval: Interval, limits: Interval) -> tuple[bool, bool]:
        most = limits[1] + self.rounding
        return interval[2] < most, interval[1] >= most


@dataclass(frozen=True)
class Above(Limits):
    """A comparison holds if the number lies above a limit."""

    limit: float

    def _condition(self) -> str:
        return f"holds if above {self._limit(self.limit)} {self._whole}, fails if none of it is"

    def _ends(self) -> Interval:
        return self.limit, math.inf, self.limit

    def _decided(self, interval: Interval, limits: Interval) -> tuple[bool, bool]:
        least = limits[0] - self.rounding
        return interval[1] > least, interval[2] <= least


@dataclass(frozen=True, kw_only=True)
class Within(Limits):
    """A comparison holds if the number is between two limits, these included."""

    least: float = -math.inf
    most: float = math.inf
    centre: float = math.nan
    """What is claimed."""
    around: str = ""
    """What the origin is: with it the limits are ``most`` from it, on both sides."""

    def _condition(self) -> str:
        least, most = self._limit(self.least), self._limit(self.most)
        if self.around:
            return f"holds if within {most} of {self.around} {self._whole}, fails if none of it is"
        if math.isinf(self.least):
            return f"holds if at most {most} {self._whole}, fails if none of it is"
        if math.isinf(self.most):
            return f"holds if at least {least} {self._whole}, fails if none of it is"
        if self.least == self.most:
            rounding = f" up to {self.rounding:g}" if self.rounding else ""
            return f"holds if {least}{rounding}, fails if not"
        return f"holds if from {least} to {most} {self._whole}, fails if none of it is"

    def _ends(self) -> Interval:
        return (-self.most, self.most, 0.0) if self.around else (self.least, self.most, self.centre)

    def _decided(self, interval: Interval, limits: Interval) -> tuple[bool, bool]:
        _, low, high = interval
        least, most = limits[0] - self.rounding, limits[1] + self.rounding
        return low >= least and high <= most, high < least or low > most


@dataclass(frozen=True)
class RareWithoutRise(Below):
    """A share is small at the last horizon and not larger than at the first.

    Data: whether it happened at the last horizon, and at the first, shape (R,) each.
    """

    rise_level: float

    def _condition(self) -> str:
        rise = f"(Fisher's exact test, one side, level {self.rise_level:g})"
        return f"{super()._condition()}, or if larger than at the first horizon {rise}"

    def _beside(self, measurement: Measurement, level: float) -> Comparison:
        from scipy.stats import fisher_exact

        if measurement.data is None:
            return self.compared(measurement)
        last, first = measurement.data
        counts = [[short.sum(), (~short).sum()] for short in (last, first)]
        p_value: Any = fisher_exact(counts, alternative="greater")[1]
        comparison = super()._beside(replace(measurement, data=last), level)
        return replace(comparison, status="fails") if p_value < self.rise_level else comparison


def interval_of(data: Any, confidence: float) -> Interval:
    """Return an interval itself; of values or events of replicates (R,) that of their mean."""
    from penalized_bandits.statistics.estimates import mean_estimate, wilson

    if not isinstance(data, np.ndarray):
        return data
    if data.dtype == bool:
        return wilson(int(data.sum()), data.size).interval
    return mean_estimate(data, level=confidence).interval
