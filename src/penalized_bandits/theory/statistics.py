"""Estimates with intervals: paired differences, probabilities, families of tests.

Replicates that share something (a draw of the means, say) are a cluster, and clusters are
what is independent: intervals are over clusters, resampling is of whole clusters.  All
results are functions of their arguments alone; whatever is drawn at random has a seed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr, stdtrit

from penalized_bandits.errors import BanditError
from penalized_bandits.typing import BoolArray, FloatArray, IntArray

LEVEL = 0.95
RESAMPLES = 9_999
BATCH = 1_000_000
"""Draws at a time: all resamples of many clusters at once would need gigabytes."""
ROUNDING = 1e-12
"""A spread below this share of the values themselves is rounding, not noise."""

LARGEST_VALUE = 1e50
"""Values are at most this in size, so that no square of a ratio of two overflows."""
SMALLEST_SPREAD = 1e-50
"""Standard errors below this are 0, for the same reason."""

Side: TypeAlias = Literal["within", "below", "above", "unclear"]


@dataclass(frozen=True)
class Estimate:
    """An estimate and its interval."""

    value: float
    low: float
    high: float
    n: int
    """Independent units behind it: replicates, clusters, or horizons of a fit."""

    def against(self, lower: float, upper: float) -> Side:
        """Say whether the whole interval is within [lower, upper], below it or above it."""
        if lower > upper:
            raise BanditError(f"the range [{lower:g}, {upper:g}] is empty")
        if lower <= self.low and self.high <= upper:
            return "within"
        if self.high < lower:
            return "below"
        return "above" if self.low > upper else "unclear"


@dataclass(frozen=True)
class PairedDifference:
    """The mean of x - y over replicates, and what speaks for either sign."""

    difference: Estimate
    p_greater: float
    """One-sided p-value: small where the mean of x - y is shown to be above 0."""
    p_less: float
    """One-sided p-value: small where the mean of x - y is shown to be below 0."""
    n_replicates: int
    n_clusters: int
    method: Literal["t", "bootstrap"]


def finite(values: ArrayLike, name: str, dimensions: int = 1) -> FloatArray:
    """Return values as an array of floats that is not empty and holds finite numbers only."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise BanditError(f"{name} has shape {array.shape}: it must have {dimensions} dimensions")
    if array.size == 0:
        raise BanditError(f"{name} is empty: there must be at least one value")
    if not np.isfinite(array).all():
        raise BanditError(f"{name} holds {(~np.isfinite(array)).sum()} values that are not finite")
    if np.abs(array).max() > LARGEST_VALUE:
        raise BanditError(
            f"{name} holds {array.flat[np.abs(array).argmax()]:g}: at most {LARGEST_VALUE:g} in "
            "size is allowed"
        )
    return array


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not 0 < level < 1:
        raise BanditError(f"level is {level:g}: it must be above 0 and below 1")


def cluster_numbers(clusters: ArrayLike | None, n: int) -> IntArray:
    """Return for each of n replicates the number of its cluster, from 0.

    ``clusters`` holds labels of any kind that sorts; None makes each replicate its own.
    """
    if clusters is None:
        return np.arange(n)
    labels = np.asarray(clusters)
    if labels.shape != (n,):
        raise BanditError(f"clusters has shape {labels.shape}: it must be ({n},), as the values")
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise BanditError("clusters holds NaN: every replicate must be in a cluster")
    return np.unique(labels, return_inverse=True)[1].reshape(n).astype(np.int64)


def cluster_totals(values: FloatArray, numbers: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the sums of values (R, ...) over each cluster, (G, ...), and its size, (G,)."""
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.zeros((sizes.size, *values.shape[1:]))
    np.add.at(sums, numbers, values)
    return sums, sizes


def cluster_scores(values: FloatArray, numbers: IntArray) -> FloatArray:
    """One value for each cluster, such that their mean is the mean over all replicates.

    Cluster j of G has mean + G * (sum over the cluster of value - mean) / R.  Where clusters
    are of one size these are the clusters' means.  Where they are not, the usual standard
    error of their mean is the cluster-robust one of a mean over replicates (a ratio of sums),
    with the factor G/(G - 1).
    """
    mean = values.mean(axis=0)
    sums, sizes = cluster_totals(values - mean, numbers)
    return mean + sums * (sizes.size / len(values))


def _bootstrap(
    values: FloatArray, numbers: IntArray, level: float, seed: int, resamples: int
) -> tuple[float, float, FloatArray]:
    """Percentile interval and means of resamples of whole clusters."""
    if resamples < 1:
        raise BanditError(f"resamples is {resamples}: it must be at least 1")
    from scipy import stats  # takes long to import, and few need it

    sums, sizes = cluster_totals(values, numbers)

    def mean(total: FloatArray, size: FloatArray, axis: int = -1) -> FloatArray:
        return total.sum(axis=axis) / size.sum(axis=axis)

    result: Any = stats.bootstrap(
        (sums, sizes),
        mean,
        paired=True,
        vectorized=True,
        method="percentile",
        confidence_level=level,
        n_resamples=resamples,
        batch=max(1, BATCH // sizes.size),
        rng=np.random.default_rng(seed),
    )
    interval = result.confidence_interval
    return float(interval.low), float(interval.high), result.bootstrap_distribution


def resampled_means(
    values: FloatArray, numbers: IntArray, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Means over replicates of values (R, C) in resamples of whole clusters, shape (B, C).

    For what `scipy.stats.bootstrap` cannot do: statistics that may be infinite or fail, and
    resamples that several statistics must share.
    """
    if resamples < 1:
        raise BanditError(f"resamples is {resamples}: it must be at least 1")
    sums, sizes = cluster_totals(values, numbers)
    n = sizes.size
    means = np.empty((resamples, *values.shape[1:]))
    batch = max(1, BATCH // n)
    for start in range(0, resamples, batch):
        size = min(batch, resamples - start)
        drawn = rng.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        means[start : start + size] = (times @ sums) / (times @ sizes)[:, None]
    return means


def _spread_is_rounding(se: float, *values: FloatArray) -> bool:
    return se <= ROUNDING * max(float(np.abs(array).max()) for array in values)


def mean_estimate(
    values: ArrayLike, clusters: ArrayLike | None = None, level: float = LEVEL
) -> Estimate:
    """Return the mean over replicates with Student's t-interval over clusters.

    With one cluster nothing is known of the spread: the interval is the whole line.
    """
    array = finite(values, "values")
    return paired_difference(array, np.zeros_like(array), clusters, level).difference


def bootstrap_mean(
    values: ArrayLike,
    clusters: ArrayLike | None = None,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Return the mean over replicates with a percentile bootstrap interval over clusters.

    Whole clusters are drawn with replacement.  With few clusters (below 20, say) the interval
    is too short: see `mean_estimate`.  With one it is the whole line.
    """
    array = finite(values, "values")
    numbers = cluster_numbers(clusters, array.size)
    check_level(level)
    n = int(numbers.max()) + 1
    value = float(array.mean())
    if n == 1:
        return Estimate(value, -np.inf, np.inf, n)
    if _spread_is_rounding(float(cluster_scores(array, numbers).std()), array):
        return Estimate(value, value, value, n)
    low, high, _ = _bootstrap(array, numbers, level, seed, resamples)
    return Estimate(value, low, high, n)


def paired_difference(
    x: ArrayLike,
    y: ArrayLike,
    clusters: ArrayLike | None = None,
    level: float = LEVEL,
    method: Literal["t", "bootstrap"] = "t",
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> PairedDifference:
    """Return the mean of x - y over replicates, with interval and one-sided p-values.

    Parameters
    ----------
    x, y
        Shape (R,): one value of each for every replicate, in the same order.
    clusters
        Labels, shape (R,), of what replicates share; None makes each its own cluster.
    level
        Confidence of the two-sided interval.
    method
        ``t``: Student's t over clusters with G - 1 degrees of freedom (cluster-robust where
        their sizes differ).  ``bootstrap``: percentiles over resamples of whole clusters, and
        as p-values (1 + resamples on the other side of 0 or at 0)/(1 + resamples), so that
        interval and p-values agree; never below 1/(1 + resamples).
    seed, resamples
        Of the bootstrap.

    Notes
    -----
    Where all clusters agree up to rounding, the interval has no width and p-values are 0 or
    1: the difference is known exactly (if it is 0, both are 1).  With one cluster the
    interval is the whole line and both p-values are 1.
    """
    first, second = finite(x, "x"), finite(y, "y")
    if first.shape != second.shape:
        raise BanditError(f"x has {first.size} values, y has {second.size}: pairs must match")
    check_level(level)
    numbers = cluster_numbers(clusters, first.size)
    difference = first - second
    scores = cluster_scores(difference, numbers)
    n = scores.size
    value = float(difference.mean())

    def result(low: float, high: float, p_greater: float, p_less: float) -> PairedDifference:
        estimate = Estimate(value, float(low), float(high), n)
        return PairedDifference(
            estimate, float(p_greater), float(p_less), difference.size, n, method
        )

    if n == 1:
        return result(-np.inf, np.inf, 1.0, 1.0)
    se = float(scores.std(ddof=1) / np.sqrt(n))
    if _spread_is_rounding(se, first, second):
        rounding = ROUNDING * max(np.abs(first).max(), np.abs(second).max())
        return result(value, value, float(value <= rounding), float(value >= -rounding))
    if method == "bootstrap":
        low, high, means = _bootstrap(difference, numbers, level, seed, resamples)
        drawn = means.size + 1
        return result(low, high, (1 + (means <= 0).sum()) / drawn, (1 + (means >= 0).sum()) / drawn)
    half = stdtrit(n - 1, (1 + level) / 2) * se
    p_greater, p_less = stdtr(n - 1, -value / se), stdtr(n - 1, value / se)
    return result(value - half, value + half, p_greater, p_less)


def wilson(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """Return a proportion with Wilson's score interval.

    That of `scipy.stats.binomtest`, whose p-value takes far longer and is not wanted here.
    """
    if n < 1:
        raise BanditError(f"n is {n}: there must be at least one trial")
    if not 0 <= successes <= n:
        raise BanditError(f"{successes} successes of {n}: they must be between 0 and {n}")
    check_level(level)
    share, z = successes / n, float(ndtri(0.5 + 0.5 * level))
    size = 2 * (n + z**2)
    centre = (2 * n * share + z**2) / size
    half = z / size * math.sqrt(4 * n * share * (1 - share) + z**2)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Estimate(share, low, high, int(n))


def holm(p_values: Sequence[float] | NDArray[Any]) -> FloatArray:
    """Return Holm's adjusted p-values of one family, in the order given.

    The i-th smallest of m (from 0) becomes the largest, over those up to it, of (m - j) p_j,
    at most 1: rejecting what is at or below alpha keeps the chance of any false rejection
    at or below alpha, whatever the dependence.  An empty family stays empty.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1:
        raise BanditError(f"p_values has shape {p.shape}: it must have one dimension")
    within: BoolArray = (p >= 0) & (p <= 1)
    if not within.all():
        raise BanditError(f"p-values {p[~within].tolist()} are not between 0 and 1")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
