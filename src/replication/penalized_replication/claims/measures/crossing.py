"""The horizon at which the paired regrets of two policies change their order."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.numbers import TAILS
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.statistics import estimates


class PairedRegrets(NamedTuple):
    """Regrets of two policies in the same replicates, at T_1 < ... < T_C."""

    horizons: list[int]
    theirs: FloatArray
    """Shape (R, C)."""
    ours: FloatArray
    """Shape (R, C)."""
    unworthy: float
    """Share of replicates in which no arm has 0 < Delta < A."""


class Crossing(NamedTuple):
    """The last change of sign of a paired difference."""

    sign: int
    """The last clear sign, 0 if there is none."""
    crossed: bool
    """Whether an earlier clear sign is another."""
    horizon: estimates.Estimate
    """The horizon of the crossing.  Its ends are 0 or infinite where that many resamples have
    none.  Where there is no crossing the value is NaN and the interval what remains, for one from
    negative to positive: up to the first horizon with a clear sign, or from the last one."""


def _last_change(times: FloatArray, path: FloatArray, sign: int) -> float:
    """Return where a path takes a sign for good: 0 if at once, infinity if it ends otherwise."""
    other = np.flatnonzero(sign * path <= 0)
    if other.size == 0:
        return 0.0
    before = int(other[-1])
    if before == path.size - 1:
        return math.inf
    step = -path[before] / (path[before + 1] - path[before])
    logs = np.log(times[before : before + 2])
    return float(np.exp(logs[0] + step * (logs[1] - logs[0])))


def clear_signs(values: FloatArray, level: float) -> IntArray:
    """Return the sign of each column's mean (R, C), 0 where it is not clear, shape (C,)."""
    zero = np.zeros(len(values))
    tests = [estimates.paired_difference(column, zero) for column in values.T]
    p_values = [min(1.0, 2 * min(test.p_greater, test.p_less)) for test in tests]
    signs = np.sign([test.difference.value for test in tests])
    return np.where(estimates.holm(p_values) <= level, signs, 0).astype(np.int64)


def crossing(horizons: ArrayLike, theirs: FloatArray, ours: FloatArray, level: float) -> Crossing:
    """Find the horizon at which paired regrets (R, C), at T_1 < ... < T_C, change their order.

    Signs of ``theirs`` less ``ours`` are clear where a two-sided t-test, Holm-adjusted over
    checkpoints, says so at a level.  The last crossing, in either direction, lies between the last
    two checkpoints of different clear sign with none between them.  Its horizon is where the ratio
    of mean regrets, up to the second of these, crosses 1 for the last time, a power of T between
    checkpoints; its interval is from a bootstrap of replicates (percentiles).
    """
    times, n = np.array(horizons, dtype=np.float64), len(theirs)
    signs = clear_signs(theirs - ours, level)
    clear = np.flatnonzero(signs)
    if clear.size == 0:
        return Crossing(0, False, estimates.Estimate(math.nan, 0.0, math.inf, n))
    changes, sign = np.flatnonzero(np.diff(signs[clear])), int(signs[clear[-1]])
    if changes.size == 0:
        low, high = (0.0, times[clear[0]]) if sign > 0 else (times[clear[-1]], math.inf)
        return Crossing(sign, False, estimates.Estimate(math.nan, float(low), float(high), n))
    end = int(clear[changes[-1] + 1])
    both = np.hstack([theirs[:, : end + 1], ours[:, : end + 1]])
    means = np.vstack([both.mean(axis=0), estimates.resampled_means(both)])
    logs = np.log(np.maximum(means, np.finfo(np.float64).tiny))
    paths = logs[:, : end + 1] - logs[:, end + 1 :]
    value, *found = (_last_change(times, path, sign) for path in paths)
    # Between two resamples the mean of a number and infinity is neither: take one of them.
    low = np.quantile(found, TAILS[0], method="lower")
    high = np.quantile(found, TAILS[1], method="higher")
    return Crossing(sign, True, estimates.Estimate(value, float(low), float(high), n))
