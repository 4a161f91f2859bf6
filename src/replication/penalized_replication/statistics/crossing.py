"""The horizon from which one policy is better than another."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.confidence import CONFIDENCE
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.statistics import estimates
from penalized_bandits.statistics.estimates import Estimate


class Crossing(NamedTuple):
    """The last change of sign of a paired difference."""

    sign: int
    """The last clear sign, 0 if there is none."""
    crossed: bool
    """Whether an earlier clear sign is another."""
    horizon: Estimate
    """The horizon of the crossing.  Its ends are 0 or infinite where that many resamples have
    none.  Where there is no crossing the value is NaN and the interval what remains, for one from
    negative to positive: up to the first horizon with a clear sign, or from the last one."""


def _last_change(times: FloatArray, path: FloatArray, sign: int) -> float:
    """Return where a path takes its last sign, interpolated in log T.

    0 if it always had that sign, infinity if it does not end with it.
    """
    other = np.flatnonzero(sign * path <= 0)
    if other.size == 0:
        return 0.0
    before = int(other[-1])
    if before == path.size - 1:
        return math.inf
    step = -path[before] / (path[before + 1] - path[before])
    logs = np.log(times[before : before + 2])
    return float(np.exp(logs[0] + step * (logs[1] - logs[0])))


def clear_signs(values: FloatArray) -> IntArray:
    """Return the sign of each column's mean (R, C), 0 where it is not clear, shape (C,)."""
    zero = np.zeros(len(values))
    tests = [estimates.paired_difference(column, zero) for column in values.T]
    p_values = [min(1.0, 2 * min(test.p_greater, test.p_less)) for test in tests]
    signs = np.sign([test.difference.value for test in tests])
    return np.where(estimates.holm(p_values) <= 1 - CONFIDENCE, signs, 0).astype(np.int64)


def crossing(horizons: ArrayLike, values: FloatArray) -> Crossing:
    """Find the horizon at which the mean of paired differences changes sign.

    Parameters
    ----------
    horizons
        Checkpoints T_1 < ... < T_C.
    values
        Differences, shape (R, C): one row for each replicate.

    Notes
    -----
    Signs are clear where a two-sided t-test, Holm-adjusted over checkpoints, says so.
    The last crossing, in either direction, lies between the last two checkpoints of different
    clear sign with none between them.  Its horizon is where the mean path, up to the second of
    these, takes its new sign for the last time, linear in log T between checkpoints; its interval
    is from a bootstrap of replicates (percentiles).
    """
    times, n, signs = np.array(horizons, dtype=np.float64), len(values), clear_signs(values)
    clear = np.flatnonzero(signs)
    if clear.size == 0:
        return Crossing(0, False, Estimate(math.nan, 0.0, math.inf, n))
    changes, sign = np.flatnonzero(np.diff(signs[clear])), int(signs[clear[-1]])
    if changes.size == 0:
        low, high = (0.0, times[clear[0]]) if sign > 0 else (times[clear[-1]], math.inf)
        return Crossing(sign, False, Estimate(math.nan, float(low), float(high), n))
    end = int(clear[changes[-1] + 1])
    upto = slice(None, end + 1)
    drawn = estimates.resampled_means(values[:, upto])
    found = np.array([_last_change(times[upto], path, sign) for path in drawn])
    # Between two resamples the mean of a number and infinity is neither: take one of them.
    low = np.quantile(found, (1 - CONFIDENCE) / 2, method="lower")
    high = np.quantile(found, (1 + CONFIDENCE) / 2, method="higher")
    value = _last_change(times[upto], values[:, upto].mean(axis=0), sign)
    return Crossing(sign, True, Estimate(value, float(low), float(high), n))
