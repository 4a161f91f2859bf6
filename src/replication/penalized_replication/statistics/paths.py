"""Elasticities and monotone paths: how one quantity moves with another."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.confidence import CONFIDENCE
from penalized_bandits.common.errors import BanditError, whole
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import Estimate, finite, resampled_means


def theil_slopes(rows: FloatArray, x: FloatArray) -> FloatArray:
    """Return the slope of each row (B, n) in x (n,), shape (B,), by Theil and Sen.

    The numbers of `scipy.stats.theilslopes`, which takes one row at a time and finds an
    interval that a resample has no use for.
    """
    upper, lower = np.nonzero(x[:, None] > x)
    return np.median((rows[:, upper] - rows[:, lower]) / (x[upper] - x[lower]), axis=1)


@dataclass(frozen=True)
class Elasticity:
    """The slope of log y in log x, by Theil and Sen (median of all pairs' slopes)."""

    over_points: Estimate
    """With the interval over points: do they lie on one power law?"""
    over_replicates: Estimate | None
    """With a bootstrap interval over replicates: how much is noise?  None where y has no
    replicates, or one only."""


def elasticity(x: ArrayLike, y: ArrayLike, seed: int = 0, resamples: int = 999) -> Elasticity:
    """Estimate the elasticity of y in x, with intervals.

    Parameters
    ----------
    x
        Shape (n,), positive, at least three points and two values.
    y
        Shape (n,), or replicates (R, n), whose means over replicates are fitted.  Means must
        be positive.
    seed, resamples
        Of the bootstrap (percentiles over resamples of replicates).
    """
    from scipy import stats  # takes long to import, and few need it

    points = finite(x, "x")
    resamples = whole("resamples", resamples, 1)
    rows = np.atleast_2d(finite(y, "y", dimensions=2 if np.ndim(y) == 2 else 1))
    if rows.shape[1] != points.size:
        raise BanditError(f"x has {points.size} points but y has {rows.shape[1]}")
    if points.size < 3 or np.unique(points).size < 2:
        raise BanditError(f"x {points.tolist()} must have three points and two values at least")
    mean = rows.mean(axis=0)
    if (points <= 0).any() or (mean <= 0).any():
        raise BanditError("x and the means of y must be positive: they are put on a log scale")
    log_x, log_y = np.log(points), np.log(mean)
    sen: Any = stats.theilslopes
    with np.errstate(invalid="ignore"):
        slope, _, low, high = sen(log_y, log_x, alpha=CONFIDENCE)
    if np.isnan(low):
        # Ties in x and y leave the ranks no variance: only a constant is known to be one.
        low, high = (slope, slope) if (log_y == log_y[0]).all() else (-np.inf, np.inf)
    over_points = Estimate(float(slope), float(low), float(high), points.size)
    if len(rows) == 1:
        return Elasticity(over_points, None)
    means = resampled_means(rows, resamples, np.random.default_rng(seed))
    if (means <= 0).any():
        raise BanditError("in some resamples a mean of y is not positive: y is too near to 0")
    slopes = theil_slopes(np.log(means), log_x)
    low, high = (float(np.quantile(slopes, (1 + sign * CONFIDENCE) / 2)) for sign in (-1, 1))
    return Elasticity(over_points, Estimate(over_points.value, low, high, len(rows)))


def largest_reversal(x: ArrayLike, y: ArrayLike, increasing: bool = True) -> float:
    """Return the largest step in the wrong direction between any two x; 0 for a monotone path.

    Only the order of x matters.  Values y, shape (n,) as x, are averaged at equal x first.
    """
    points, values = finite(x, "x"), finite(y, "y")
    if points.size != values.size:
        raise BanditError(f"x has {points.size} values, y has {values.size}")
    place, sizes = np.unique(points, return_inverse=True, return_counts=True)[1:]
    path = np.bincount(place, values) / sizes
    upward = path if increasing else -path
    return float((np.maximum.accumulate(upward) - upward).max())
