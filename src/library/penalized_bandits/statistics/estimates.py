"""Estimates with intervals: means of paired differences, proportions, families of tests.

Replicates are independent of one another: average over what shares a draw first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr, stdtrit

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.common.errors import BanditError, number_in
from penalized_bandits.common.numbers import CONFIDENCE
from penalized_bandits.common.typing import FloatArray


def normal(level: float = CONFIDENCE) -> float:
    """Return the standard errors in half an interval by the normal law."""
    return float(ndtri((1 + level) / 2))


NORMAL = normal()
ROUNDING = 1e-12
"""A spread below this share of the values themselves is rounding, not noise."""

LARGEST_VALUE = 1e50
"""Values are at most this in size, so that no square of a ratio of two overflows."""


@dataclass(frozen=True)
class Estimate:
    """An estimate and its interval."""

    value: float
    low: float
    high: float
    n: int
    """Independent units behind it: replicates, or horizons of a fit."""

    @property
    def interval(self) -> tuple[float, float, float]:
        """The estimate and the two ends."""
        return self.value, self.low, self.high

    def __truediv__(self, unit: float) -> "Estimate":
        """Return it as a number of units, which are above 0."""
        return Estimate(self.value / unit, self.low / unit, self.high / unit, self.n)


@dataclass(frozen=True)
class PairedDifference:
    """The mean of x - y over replicates, and what speaks for either sign."""

    difference: Estimate
    p_greater: float
    """One-sided p-value: small where the mean of x - y is shown to be above 0."""
    p_less: float
    """One-sided p-value: small where the mean of x - y is shown to be below 0."""


def finite(values: ArrayLike, name: str) -> FloatArray:
    """Return values (R,) as an array of floats that is not empty, of finite numbers only."""
    array = numbers(name, values, most=LARGEST_VALUE)
    if array.ndim != 1 or array.size == 0:
        raise BanditError(f"{name} has shape {array.shape}: it must have values in one dimension")
    return array


RESAMPLES = 999
"""Of the bootstraps that decide claims."""


def resampled_means(values: FloatArray) -> FloatArray:
    """Means over replicates of values (R, C) in resamples of the replicates, shape (B, C).

    Unlike `scipy.stats.bootstrap`: for statistics that may fail, or share their resamples.
    """
    n, rng = len(values), np.random.default_rng(0)
    rows = np.ascontiguousarray(values, dtype=np.float64)
    means = np.empty((RESAMPLES, *rows.shape[1:]))
    # Whole numbers of units so small, and of smaller ones: their sums are exact in any order.
    bits = 52 - n.bit_length()
    unit = 2.0 ** (np.frexp(np.abs(rows).max(axis=0))[1] - bits)
    high = np.round(rows / unit)
    low = np.round((rows / unit - high) * 2.0**bits)
    batch = max(1, 1_000_000 // n)  # all resamples at once would need gigabytes
    for start in range(0, RESAMPLES, batch):
        size = min(batch, RESAMPLES - start)
        drawn = rng.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        means[start : start + size] = (times @ high + times @ low / 2.0**bits) * unit / n
    return means


def student(n: int, level: float = CONFIDENCE) -> float:
    """Return the standard errors in half a t-interval of a mean of n values: n - 1 degrees."""
    return float(stdtrit(n - 1, (1 + number_in("level", level, 0, 1, "from 0 to 1")) / 2))


def mean_estimate(values: ArrayLike, level: float = CONFIDENCE) -> Estimate:
    """Return the mean over replicates with its t-interval, the whole line for one replicate."""
    array = finite(values, "values")
    return paired_difference(array, np.zeros_like(array), level).difference


def paired_difference(x: ArrayLike, y: ArrayLike, level: float = CONFIDENCE) -> PairedDifference:
    """Return the mean of x - y over replicates, with interval and one-sided p-values.

    Parameters
    ----------
    x, y
        Shape (R,): one value of each for every replicate, in the same order.
    level
        Confidence of the two-sided interval, by Student's t with R - 1 degrees of freedom.

    Notes
    -----
    Where all replicates agree up to rounding, the interval has no width and p-values are 0 or
    1: the difference is known exactly (if it is 0, both are 1).  With one replicate the
    interval is the whole line and both p-values are 1.
    """
    first, second = finite(x, "x"), finite(y, "y")
    if first.shape != second.shape:
        raise BanditError(f"x has {first.size} values, y has {second.size}: pairs must match")
    difference = first - second
    n, mean = difference.size, difference.mean()
    value = float(mean)
    if n == 1:
        return PairedDifference(Estimate(value, -np.inf, np.inf, n), 1.0, 1.0)
    # The mean is taken off and put back: all published intervals were worked out like this,
    # and keep their last digits.
    se = float((mean + (difference - mean)).std(ddof=1) / np.sqrt(n))
    rounding = ROUNDING * max(float(np.abs(first).max()), float(np.abs(second).max()))
    if se <= rounding:
        exact = Estimate(value, value, value, n)
        return PairedDifference(exact, float(value <= rounding), float(value >= -rounding))
    half = student(n, level) * se
    estimate = Estimate(value, value - half, value + half, n)
    greater, less = stdtr(n - 1, -value / se), stdtr(n - 1, value / se)
    return PairedDifference(estimate, float(greater), float(less))


def ratio_of_means(above: FloatArray, below: FloatArray) -> Estimate:
    """Return mean(above) / mean(below) over replicates, with its 95 % t-interval (linearised).

    Both have shape (R,), paired by replicate.  With one the interval is the whole line.
    """
    n, middle = above.size, float(below.mean())
    value = float(above.mean()) / middle
    if n == 1:
        return Estimate(value, -np.inf, np.inf, n)
    error = float((above - value * below).std(ddof=1)) / np.sqrt(n) / abs(middle)
    half = student(n) * error
    return Estimate(value, value - half, value + half, n)


def ratio_of_independent_means(above: FloatArray, below: FloatArray) -> Estimate:
    """Return mean(above) / mean(below), (R,) and (S,), independent; 95 % normal, linearised."""
    value = float(above.mean() / below.mean())
    spread = math.fsum(float(x.var(ddof=1)) / x.size / float(x.mean()) ** 2 for x in (above, below))
    half = NORMAL * abs(value) * float(np.sqrt(spread))
    return Estimate(value, value - half, value + half, min(above.size, below.size))


def wilson(successes: int, n: int, level: float = CONFIDENCE) -> Estimate:
    """Return a proportion with Wilson's score interval, as the slower `scipy.stats.binomtest`."""
    share, z = successes / n, normal(level)
    size = 2 * (n + z**2)
    centre = (2 * n * share + z**2) / size
    half = z / size * math.sqrt(4 * n * share * (1 - share) + z**2)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Estimate(share, low, high, n)


def holm(p_values: Sequence[float] | NDArray[Any]) -> FloatArray:
    """Return Holm's adjusted p-values of one family, in the order given.

    The i-th smallest of m (from 0) becomes the largest, over those up to it, of (m - j) p_j,
    at most 1: rejecting what is at or below alpha keeps the chance of any false rejection
    at or below alpha, whatever the dependence.  An empty family stays empty.
    """
    p = numbers("p_values", p_values, least=0.0, most=1.0)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
