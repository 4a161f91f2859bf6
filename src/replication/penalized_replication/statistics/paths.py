"""Elasticities and monotone paths: how one quantity moves with another."""

from typing import Any

import numpy as np

from penalized_bandits.common.confidence import CONFIDENCE
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import Estimate, resampled_means


def theil_slopes(rows: FloatArray, x: FloatArray) -> FloatArray:
    """Return the slope of rows (..., n) in x (n,), shape (...), by Theil and Sen.

    The numbers of `scipy.stats.theilslopes`, which takes one row at a time and finds an
    interval that a resample has no use for.
    """
    upper, lower = np.nonzero(x[:, None] > x)
    return np.median((rows[..., upper] - rows[..., lower]) / (x[upper] - x[lower]), axis=-1)


def elasticity(x: FloatArray, rows: FloatArray) -> tuple[Estimate, Estimate]:
    """Estimate the slope of log y in log x, by Theil and Sen (median of all pairs' slopes).

    Parameters
    ----------
    x
        Shape (n,), positive, at least three points and two values.
    rows
        Replicates of y, shape (R, n), positive, whose means over replicates are fitted.

    Returns
    -------
    tuple[Estimate, Estimate]
        With the interval over points: do they lie on one power law?  And with a bootstrap interval
        over replicates: how much is noise?  With one replicate it is the whole line.
    """
    from scipy import stats  # takes long to import, and few need it

    log_x, log_y = np.log(x), np.log(rows.mean(axis=0))
    sen: Any = stats.theilslopes
    with np.errstate(invalid="ignore"):
        slope, _, low, high = map(float, sen(log_y, log_x, alpha=CONFIDENCE))
    if np.isnan(low):
        # Ties in x and y leave the ranks no variance: only a constant is known to be one.
        low, high = (slope, slope) if (log_y == log_y[0]).all() else (-np.inf, np.inf)
    over_points, n = Estimate(slope, low, high, x.size), len(rows)
    if n == 1:
        return over_points, Estimate(slope, -np.inf, np.inf, n)
    means = resampled_means(rows)
    ends = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    low, high = np.quantile(theil_slopes(np.log(means), log_x), ends)
    return over_points, Estimate(slope, float(low), float(high), n)


def largest_rise(paths: FloatArray) -> FloatArray:
    """Return the largest rise of paths (..., m) between any two places; 0 where one only falls."""
    return (paths - np.minimum.accumulate(paths, axis=-1)).max(axis=-1)
