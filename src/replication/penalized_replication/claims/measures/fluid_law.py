"""Quantities beside their fluid prediction, horizon by horizon.

The prediction (:mod:`penalized_bandits.theory.fluid`) has no parameter, and its limits are
known exactly (:mod:`penalized_bandits.theory.limits`).  A quantity that agrees with it at every
horizon follows its law; what lies above the largest horizon rests on the prediction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.policies import POLICIES
from penalized_bandits.statistics.estimates import normal, student
from penalized_bandits.theory.exploration import PAPER, Exploration
from penalized_bandits.theory.fluid import predicted_regret
from penalized_replication.claims.horizon_series import HorizonSeries, bandits_of


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
    scale: FloatArray | float = 1.0
    """Factor for reading, one number or one for each horizon."""
    logarithmic: bool = False
    """Whether the law is log T, and rivals of it are of interest."""

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

    def where(self, kept: BoolArray) -> "FluidComparison":
        """Return the comparison at some of the horizons, (m,)."""
        measured = [x for x, keep in zip(self.measured, kept, strict=True) if keep]
        predicted = [x for x, keep in zip(self.predicted, kept, strict=True) if keep]
        scale = self.scale[kept] if isinstance(self.scale, np.ndarray) else self.scale
        some = {"measured": measured, "predicted": predicted, "scale": scale}
        return replace(self, horizons=self.horizons[kept], **some)

    def quantile(self, level: float) -> float:
        """Return the standard errors in half an interval: Student's for the same runs."""
        n = self.measured[0].size
        return student(n, level) if self.same_runs and n > 1 else normal(level)

    @property
    def curve(self) -> FloatArray:
        """The mean prediction at each horizon, (m,)."""
        return np.array([float(np.mean(prediction)) for prediction in self.predicted])


def regret_comparison(
    series: HorizonSeries,
    *,
    exploration: Exploration = PAPER,
    scale: FloatArray | float = 1.0,
    logarithmic: bool = False,
) -> FluidComparison:
    """Return penalized regret beside its prediction, that of a soft threshold where it has one."""
    soft = POLICIES[series.policy].card.bound == "soft_radius"
    pairs = ((bandits_of(one), one.horizon) for one in series.outcomes)
    predicted = [predicted_regret(*pair, rule=exploration, soft=soft) for pair in pairs]
    # A case has the same rewards at all its horizons: they are checkpoints of one run.
    same_runs = len({one.case for one in series.outcomes}) < len(series)
    regrets = series.regrets()
    return FluidComparison(series.rounds, regrets, predicted, same_runs, scale, logarithmic)


def weights_of(horizons: FloatArray) -> FloatArray:
    """Weights (2, m) of the ratios in their mean, and in the change of a line along log T."""
    log = np.log(horizons)
    centred = log - log.mean()
    slope = centred / (centred**2).sum()
    return np.stack([np.full(log.size, 1 / log.size), slope * (log[-1] - log[0])])
