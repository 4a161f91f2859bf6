"""Elasticities and monotone paths: how one quantity moves with another."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.errors import BanditError
from penalized_bandits.theory.statistics import (
    LEVEL,
    ROUNDING,
    SMALLEST_SPREAD,
    Estimate,
    check_level,
    cluster_numbers,
    finite,
    resampled_means,
)
from penalized_bandits.typing import FloatArray


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
    """With a bootstrap interval over clusters of replicates: how much is noise?  None where
    y has no replicates, or one cluster only."""


def elasticity(
    x: ArrayLike,
    y: ArrayLike,
    clusters: ArrayLike | None = None,
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = 999,
) -> Elasticity:
    """Estimate the elasticity of y in x.

    Parameters
    ----------
    x
        Shape (n,), positive, at least three points and two values.
    y
        Shape (n,), or replicates (R, n), whose means over replicates are fitted.  Means must
        be positive.
    clusters
        Labels of replicates, shape (R,); None makes each its own.
    level
        Confidence of both intervals.
    seed, resamples
        Of the bootstrap (percentiles over resamples of whole clusters).
    """
    from scipy import stats  # takes long to import, and few need it

    points = finite(x, "x")
    array = np.asarray(y, dtype=np.float64)
    values = finite(array, "y", dimensions=2 if array.ndim == 2 else 1)
    rows = np.atleast_2d(values)
    if rows.shape[1] != points.size:
        raise BanditError(f"x has {points.size} points but y has {rows.shape[1]}")
    if points.size < 3 or np.unique(points).size < 2:
        raise BanditError(f"x {points.tolist()} must have three points and two values at least")
    check_level(level)
    mean = rows.mean(axis=0)
    if (points <= 0).any() or (mean <= 0).any():
        raise BanditError("x and the means of y must be positive: they are put on a log scale")
    log_x = np.log(points)
    sen: Any = stats.theilslopes
    log_y = np.log(mean)
    with np.errstate(invalid="ignore"):
        slope, _, low, high = sen(log_y, log_x, alpha=level)
    if np.isnan(low):
        # Ties in x and y leave the ranks no variance: only a constant is known to be one.
        low, high = (slope, slope) if (log_y == log_y[0]).all() else (-np.inf, np.inf)
    n = points.size
    over_points = Estimate(float(slope), float(low), float(high), n)
    numbers = cluster_numbers(clusters, len(rows))
    n_clusters = int(numbers.max()) + 1
    if values.ndim == 1 or n_clusters == 1:
        return Elasticity(over_points, None)
    means = resampled_means(rows, numbers, resamples, np.random.default_rng(seed))
    if (means <= 0).any():
        raise BanditError("in some resamples a mean of y is not positive: y is too near to 0")
    slopes = theil_slopes(np.log(means), log_x)
    low, high = (float(np.quantile(slopes, (1 + sign * level) / 2)) for sign in (-1, 1))
    over_replicates = Estimate(over_points.value, low, high, n_clusters)
    return Elasticity(over_points, over_replicates)


@dataclass(frozen=True, eq=False)
class Isotonic:
    """The nearest monotone path and how far it is."""

    x: FloatArray
    """The different values of x, increasing."""
    fitted: FloatArray
    """The monotone path at them."""
    distance: float
    """Root (weighted) mean square of path minus fit."""
    share: float
    """Of the path's (weighted) variance, what no monotone path explains: 0 for a monotone
    path or a constant, 1 where the best monotone path is a constant."""
    largest_reversal: float
    """The largest step in the wrong direction between any two x; 0 for a monotone path."""


def isotonic(
    x: ArrayLike, y: ArrayLike, se: ArrayLike | None = None, increasing: bool = True
) -> Isotonic:
    """Fit a monotone path by least squares (`scipy.optimize.isotonic_regression`).

    Only the order of x matters.  Values at equal x are averaged first.  ``se``, positive
    standard errors of y, weigh by 1/se^2.
    """
    from scipy.optimize import isotonic_regression  # as above

    points, values = finite(x, "x"), finite(y, "y")
    errors = np.ones_like(values) if se is None else finite(se, "se")
    if not points.size == values.size == errors.size:
        raise BanditError(f"x, y, se have {points.size}, {values.size}, {errors.size} values")
    if (errors < SMALLEST_SPREAD).any():
        raise BanditError(
            f"standard errors of a monotone path must be positive, {SMALLEST_SPREAD:g} at least"
        )
    unique, place = np.unique(points, return_inverse=True)
    weights = np.bincount(place, errors**-2)
    path = np.bincount(place, values * errors**-2) / weights
    fit: Any = isotonic_regression(path, weights=weights, increasing=increasing)
    fitted = np.asarray(fit.x, dtype=np.float64)
    mean = np.average(path, weights=weights)
    left = float(np.average((path - fitted) ** 2, weights=weights))
    total = float(np.average((path - mean) ** 2, weights=weights))
    upward = path if increasing else -path
    reversal = float((np.maximum.accumulate(upward) - upward).max())
    share = left / total if total > (ROUNDING * np.abs(path).max()) ** 2 else 0.0
    return Isotonic(unique, fitted, math.sqrt(left), min(share, 1.0), reversal)
