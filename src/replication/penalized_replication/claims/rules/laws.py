"""The rule on a law of growth: measured over predicted is 1 on average, and does not drift."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from penalized_replication.claims.comparisons import Comparison, Measurement, exact
from penalized_replication.claims.measures.fluid_law import FluidComparison, weights_of
from penalized_replication.claims.rules.base import Rule, status_of

RIVALS = {
    "log² T": lambda log: log,
    "(log T)^1.5": np.sqrt,
    "log T log log T": np.log,
    "T^0.2": lambda log: np.exp(0.2 * log) / log,
}
"""Laws other than log T, over it, as functions of log T."""


@dataclass(frozen=True, kw_only=True)
class AsPredicted(Rule):
    """A quantity follows its fluid prediction over horizons at which that is not 0.

    Data: a `FluidComparison`.
    """

    on_average: float = 0.05
    """How far the mean over horizons of measured over predicted may be from 1: what noise shifts
    the pulls of an arm by (1 % with a standard deviation of 1/2), and several standard errors of
    the runs (0.7 %)."""
    change: float = 0.1
    """How much it may change over the range of horizons: log T log log T in the place of log T
    changes by 18 % from 10^4 to 10^6, and every other rival by more."""
    fewest: int = 3
    """Horizons that a law takes."""
    version: ClassVar[int] = 2

    @property
    def quantity(self) -> str:
        """What the estimate is, with its unit."""
        return f"{self.of} over its fluid prediction"

    def _condition(self) -> str:
        return (
            "over its fluid prediction, which has no parameter, holds if the mean over horizons "
            f"(without those whose prediction is 0) is within {100 * self.on_average:g} % of 1 and "
            f"a straight line through it in log T changes by less than {100 * self.change:g} % "
            f"over the range, both with their whole {100 * (1 - self.level):g} % intervals; fails "
            "if one of the two is outside with its whole interval; vacuous where the prediction at "
            "the largest is 0"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        data: FluidComparison = measurement.data
        if data.curve[-1] == 0:
            reason = "the prediction is 0: it has no law"
            return measurement.compared(exact(np.nan), "vacuous", reason=reason)
        data = data.where(data.curve != 0)
        m = len(data.horizons)
        if m < self.fewest:
            reason = f"{m} horizons: a law takes {self.fewest}"
            return measurement.compared(exact(np.nan), "undecided", reason=reason)
        value, weights = data.ratios(), weights_of(data.horizons)
        mean, slope = (weights * value).sum(axis=1)
        mean_half, half = data.quantile(1 - self.level) * data.error_of(weights)
        low, high = mean - mean_half, mean + mean_half
        near, off = self._beside(low - 1, high - 1, self.on_average)
        flat, drifts = self._beside(slope - half, slope + half, self.change)
        scale = float(np.broadcast_to(data.scale, value.shape)[-1])
        numbers = {
            "limit": 1.0,
            "least": 1 - self.on_average,
            "most": 1 + self.on_average,
            "measured": float(data.measured[-1].mean() * scale),
            "predicted": float(data.curve[-1] * scale),
            "values": {
                "last": float(data.horizons[-1]),
                "change": [slope, slope - half, slope + half],
            },
        }
        status = status_of(near and flat, off or drifts)
        return measurement.compared((mean, low, high), status, **numbers)

    @staticmethod
    def _beside(low: float, high: float, most: float) -> tuple[bool, bool]:
        """Return whether an interval is within a distance of 0, and whether it is outside."""
        return low >= -most and high <= most, high < -most or low > most

    def facts(self, measurements: Sequence[Measurement]) -> dict[str, Any]:
        """Return ``rivals``: probabilities of detecting other laws than log T, by all data."""
        data: list[FluidComparison] = [m.data for m in measurements if m.data is not None]
        lawful = [one.where(one.curve != 0) for one in data if one.logarithmic and one.curve[-1]]
        # A single replicate has no error: it detects nothing.
        lawful = [one for one in lawful if min(x.size for x in one.measured) > 1]
        each = [self.detection_of_rivals(x) for x in lawful if len(x.horizons) >= self.fewest]
        names = each[0] if each else ()
        return {"rivals": {n: 1 - float(np.prod([1 - one[n] for one in each])) for n in names}}

    def detection_of_rivals(self, data: FluidComparison) -> dict[str, float]:
        """Return the probability that the rule detects a rival law, at the errors of the run."""
        from scipy.special import ndtr

        log, weights = np.log(data.horizons), weights_of(data.horizons)
        # Exact data have no error but rounding.
        error = np.maximum(data.error_of(weights), 1e-9)
        room = np.array([self.on_average, self.change])
        room -= data.quantile(1 - self.level) * error
        chances = {}
        for name, of_log in RIVALS.items():
            # Under a rival g(T) the prediction times g(T)/log T, but for a factor.
            factor = of_log(log)
            off = (weights * factor / factor.mean()).sum(axis=1) - [1, 0]
            inside = ndtr((room - off) / error) - ndtr((-room - off) / error)
            chances[name] = 1 - float(np.prod(np.maximum(inside, 0.0)))
        return chances
