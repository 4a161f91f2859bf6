"""The rule on a quantity beside a bound of it, over horizons."""

import math
from dataclasses import dataclass
from typing import ClassVar

from penalized_bandits.common.numbers import format_number
from penalized_replication.claims.comparisons import Comparison, Measurement, exact
from penalized_replication.claims.rules.base import Rule, status_of
from penalized_replication.claims.rules.limits import interval_of


@dataclass(frozen=True, kw_only=True)
class BelowBound(Rule):
    """The ratio of a mean to its bound lies below 1 at every horizon.

    Data: at each horizon at which the bound says something, the values of the replicates (R,), or
    an `Interval`, and the bound, by horizon.
    """

    allowance: float = 0.0
    """What O(1) is taken for, in `Measurement.unit`; it is added to the bound."""
    allowed: str = ""
    """The allowance for reading."""
    vacuous: str = "the bound says nothing"
    """Where a horizon does not count, or no comparison, for reading."""
    version: ClassVar[int] = 2

    @property
    def quantity(self) -> str:
        """What the estimate is, with its unit."""
        return f"{self.of} over the bound, at the horizon that speaks most against it"

    def _condition(self) -> str:
        more = f" plus {self.allowed or format_number(self.allowance)}" if self.allowance else ""
        return (
            f"over the bound{more} holds if below 1 at every horizon with its whole "
            f"{100 * (1 - self.level):g} % interval (Bonferroni over horizons), fails if at one of "
            f"them none of it is; vacuous where {self.vacuous}"
        )

    def _compare(self, measurement: Measurement) -> Comparison:
        data = measurement.data
        if not data:
            reason = "at no horizon is the bound below what holds anyway"
            return measurement.compared(exact(math.nan), "vacuous", reason=reason)
        ratios = []
        for horizon, (values, bound) in data.items():
            interval = interval_of(values, 1 - self.level / len(data))
            limit = bound + self.allowance * measurement.unit
            value, low, high = (x / limit if limit > 0 else math.inf for x in interval)
            ratios.append((low >= 1, not high < 1, value, low, high, horizon))
        fails, open_, value, low, high, nearest = max(ratios)
        # The horizon is in no field: the data choose it, and a comparison keeps its key.
        values = {**measurement.values, "nearest_horizon": nearest}
        interval = value, low, high
        limits = {"limit": 1.0, "most": 1.0, "values": values}
        return measurement.compared(interval, status_of(not open_, fails), **limits)
