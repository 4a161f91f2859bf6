"""Growth laws compared with the fluid prediction: measured over predicted, horizon by horizon.

The prediction (:mod:`penalized_bandits.theory.fluid`) has no parameter, and its limits are
known exactly (:mod:`penalized_bandits.theory.limits`).  A quantity that agrees with it at every
horizon follows its law; what lies beyond the largest horizon rests on the prediction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import ndtr

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import POLICIES
from penalized_bandits.statistics.estimates import NORMAL, student
from penalized_bandits.theory.exploration import PAPER, Exploration
from penalized_bandits.theory.fluid import predicted_regret
from penalized_replication.claims.horizon_series import HorizonSeries, bandits_of
from penalized_replication.claims.parts import Fields, Part, irrelevant, unknown, within

ON_AVERAGE = 0.05
"""How far the mean over horizons of measured over predicted may be from 1: what noise shifts the
pulls of an arm by (1 % with a standard deviation of 1/2, see the prediction), and several standard
errors of the runs here (0.7 %)."""
CHANGE = 0.1
"""How much it may change over the range of horizons: log T log log T in the place of log T changes
by 18 % from 10^4 to 10^6, and every other rival by more."""
FEWEST = 3
"""Horizons that a law takes."""

RULE = (
    f"holds if the mean over horizons of measured over predicted is within {ON_AVERAGE:.0%} of 1 "
    f"and a straight line through it in log T changes by less than {CHANGE:.0%} over the range, "
    "both with their whole 95 % intervals; fails if one of the two is outside with its whole "
    "interval."
)


@dataclass(frozen=True, eq=False)
class FluidComparison:
    """A quantity at m increasing horizons beside its fluid prediction."""

    horizons: FloatArray
    """Shape (m,)."""
    measured: Sequence[FloatArray]
    """Replicates at each horizon, (R,) each."""
    predicted: Sequence[FloatArray]
    """The prediction for each replicate's bandit, (R,) or one number at each horizon."""
    same_runs: bool = False
    """Whether the horizons are checkpoints of the same runs; else each has runs of its own."""
    fields: Fields = field(default_factory=dict)
    """Fields of its part."""

    def ratios(self) -> FloatArray:
        """Mean measured over mean predicted at each horizon, (m,)."""
        return np.array([x.mean() for x in self.measured]) / self.curve

    def error_of(self, weights: FloatArray) -> FloatArray:
        """Return the standard errors (n,) of weighted sums of the ratios, weights (n, m)."""
        if any(x.size < 2 for x in self.measured):
            return np.full(len(weights), np.inf)
        of_each = zip(self.measured, self.predicted, self.ratios(), strict=True)
        # Linearised: replicates whose bandit costs more are expected to.
        rest = [x - ratio * prediction for x, prediction, ratio in of_each]
        if self.same_runs:
            # Ratios of the same runs depend on each other: their sum is taken run by run.
            sums = ((weights / self.curve)[:, :, None] * np.stack(rest)).sum(axis=1)
            return sums.std(ddof=1, axis=1) / np.sqrt(sums.shape[1])
        errors = np.array([one.std(ddof=1) / np.sqrt(one.size) for one in rest]) / self.curve
        return np.sqrt(((weights * errors) ** 2).sum(axis=1))

    @property
    def quantile(self) -> float:
        """Standard errors in half a 95 % interval: Student's for the same runs."""
        n = self.measured[0].size
        return student(n) if self.same_runs and n > 1 else NORMAL

    @property
    def curve(self) -> FloatArray:
        """The mean prediction at each horizon, (m,)."""
        return np.array([float(np.mean(prediction)) for prediction in self.predicted])


def regret_comparison(
    series: HorizonSeries, *, rule: Exploration = PAPER, **fields: Any
) -> FluidComparison:
    """Return penalized regret beside its prediction, that of a soft threshold where it has one."""
    soft = POLICIES[series.policy].card.bound == "soft_radius"
    pairs = ((bandits_of(one), one.horizon) for one in series.outcomes)
    predicted = [predicted_regret(*pair, rule=rule, soft=soft) for pair in pairs]
    # A case has the same rewards at all its horizons: they are checkpoints of one run.
    same_runs = len({one.case for one in series.outcomes}) < len(series)
    about = series.about() | fields
    return FluidComparison(series.rounds, series.regrets(), predicted, same_runs, about)


def agreement(
    comparison: FluidComparison,
    scale: FloatArray | float = 1.0,
    asymptote: float = np.nan,
    *,
    on_average: float = ON_AVERAGE,
    change: float = CHANGE,
) -> Part:
    """Return the part on the agreement of a quantity with its prediction.

    ``scale`` is a factor for reading, one number or one for each horizon; ``asymptote`` the limit
    of the scaled prediction as T grows, NaN if there is none.  The ratio may be ``on_average``
    from 1 in the mean over horizons, and change by ``change`` over their range.
    """
    m = len(comparison.horizons)
    if m < FEWEST:
        return unknown(f"{m} horizons: a law takes {FEWEST}", **comparison.fields)
    if not comparison.curve.all():
        return irrelevant(unknown("", **comparison.fields), "the prediction is 0: it has no law")
    value, weights = comparison.ratios(), _weights(comparison.horizons)
    mean, slope = (weights * value).sum(axis=1)
    halves = comparison.quantile * comparison.error_of(weights)
    trend = within((slope, slope - halves[1], slope + halves[1]), -change, change)
    by = np.broadcast_to(scale, value.shape)
    change_of_ratio = [trend.estimate, trend.low, trend.high]
    fields = comparison.fields | {
        "measured": float(comparison.measured[-1].mean() * by[-1]),
        "predicted": float(comparison.curve[-1] * by[-1]),
        "asymptote": asymptote,
        "values": {"last": float(comparison.horizons[-1]), "change": change_of_ratio},
    }
    interval = mean, mean - halves[0], mean + halves[0]
    part = within(interval, 1 - on_average, 1 + on_average, 1.0, **fields)
    decides = trend.status == "fails" or part.status == "holds"
    return replace(part, status=trend.status) if decides else part


def _weights(horizons: FloatArray) -> FloatArray:
    """Weights (2, m) of the ratios in their mean, and in the change of a line along log T."""
    log = np.log(horizons)
    centred = log - log.mean()
    slope = centred / (centred**2).sum()
    return np.stack([np.full(log.size, 1 / log.size), slope * (log[-1] - log[0])])


def detection_of_rivals(comparison: FluidComparison) -> dict[str, float]:
    """Return the probability that the rule detects a rival law, at the errors of the run."""
    log = np.log(comparison.horizons)
    rivals = {
        "log² T": log,
        "(log T)^1.5": np.sqrt(log),
        "log T log log T": np.log(log),
        "T^0.2": np.exp(0.2 * log) / log,
    }
    weights = _weights(comparison.horizons)
    # Exact data have no error but rounding.
    error = np.maximum(comparison.error_of(weights), 1e-9)
    room = np.array([ON_AVERAGE, CHANGE]) - comparison.quantile * error
    chances = {}
    for name, factor in rivals.items():
        # Under a rival g(T) the prediction times g(T)/log T, but for a factor.
        off = (weights * factor / factor.mean()).sum(axis=1) - [1, 0]
        inside = ndtr((room - off) / error) - ndtr((-room - off) / error)
        chances[name] = 1 - float(np.prod(np.maximum(inside, 0.0)))
    return chances


def rival_facts(comparisons: Sequence[FluidComparison]) -> dict[str, dict[str, float]]:
    """Return the fact ``rivals``: probabilities of detecting each law, by all comparisons."""
    lawful = (one for one in comparisons if len(one.horizons) >= FEWEST and one.curve.all())
    # A single replicate has no error: it detects nothing.
    each = [detection_of_rivals(one) for one in lawful if min(x.size for x in one.measured) > 1]
    names = each[0] if each else ()
    return {"rivals": {n: 1 - float(np.prod([1 - one[n] for one in each])) for n in names}}
