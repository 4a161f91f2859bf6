"""Means of a quantity at horizons T_1 < ... < T_m, and what is known of their errors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.errors import BanditError, NotMeasuredError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import (
    ROUNDING,
    SMALLEST_SPREAD,
    finite,
    resampled_means,
)

FEWEST_HORIZONS = 3
LONGEST = 1e18
"""Horizons are at most this: powers of them, and their squares, stay finite."""


def checked_horizons(horizons: ArrayLike) -> FloatArray:
    """Return horizons as an array.

    Raises NotMeasuredError if they are too few, BanditError if they do not increase.
    """
    times = finite(horizons, "horizons")
    if times.size < FEWEST_HORIZONS:
        raise NotMeasuredError(f"a fit takes {FEWEST_HORIZONS} horizons, not {times.size}")
    if times[0] < 1 or times[-1] > LONGEST or (np.diff(times) <= 0).any():
        raise BanditError(
            f"horizons {times.tolist()} must be positive and increase, from at least 1 to at "
            f"most {LONGEST:g}"
        )
    return times


@dataclass(frozen=True, eq=False)
class Measurements:
    """Means at horizons and what is known of their errors.

    Parameters
    ----------
    horizons
        T_1 < ... < T_m, at least three.
    mean, se
        Means and their standard errors, shape (m,); se = 0 where replicates agree.
    samples
        The replicates behind the means, if they are at hand: see `measure`.
    """

    horizons: FloatArray
    mean: FloatArray
    se: FloatArray
    samples: tuple[FloatArray, ...]

    def __init__(
        self,
        horizons: ArrayLike,
        mean: ArrayLike,
        se: ArrayLike,
        samples: tuple[FloatArray, ...] = (),
    ) -> None:
        times = checked_horizons(horizons)
        means, errors = finite(mean, "mean"), finite(se, "se")
        if not times.size == means.size == errors.size:
            raise BanditError(
                f"there are {times.size} horizons, {means.size} means, {errors.size} standard "
                "errors"
            )
        if (errors < 0).any():
            raise BanditError(f"standard errors {errors.tolist()} must not be negative")
        errors = np.where(errors <= SMALLEST_SPREAD, 0.0, errors)
        for field, value in zip(fields(self), (times, means, errors, samples), strict=True):
            object.__setattr__(self, field.name, value)

    @property
    def exact(self) -> bool:
        """Whether all standard errors are 0."""
        return not self.se.any()

    @property
    def errors(self) -> FloatArray:
        """The standard errors that weigh: 0 counts as the smallest other; 1 where all are 0."""
        positive = self.se > 0
        return np.where(positive, self.se, 1.0 if self.exact else self.se[positive].min())

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the means, shape (m, m): of independent horizons; 0 for exact data."""
        return np.diag(np.zeros_like(self.se) if self.exact else self.errors**2)

    @property
    def size(self) -> float:
        """The largest mean, in size."""
        return float(np.abs(self.mean).max())

    def before(self, last: int) -> "Measurements":
        """Return the data without the last few horizons.

        Errors stay as the whole table has them: a horizon whose replicates all agree gets the
        smallest standard error of all horizons, not of its part.
        """
        part = slice(None, self.mean.size - last)
        errors = self.se if self.exact else self.errors
        return Measurements(self.horizons[part], self.mean[part], errors[part])

    def resampled(self, resamples: int, rng: np.random.Generator) -> FloatArray:
        """Means of resampled replicates, shape (B, m).

        Replicates are drawn at each horizon apart; without samples, normal means with the given
        standard errors.
        """
        if not self.samples:
            return self.mean + self.errors * rng.standard_normal((resamples, self.mean.size))
        return np.hstack([resampled_means(x[:, None], resamples, rng) for x in self.samples])


def measure(horizons: ArrayLike, samples: Sequence[ArrayLike]) -> Measurements:
    """Return means and standard errors of replicates.

    Parameters
    ----------
    horizons
        T_1 < ... < T_m, at least three.
    samples
        For each horizon the values of its replicates, (R_i,), at least two.  They must be
        independent of one another, and of those of other horizons.
    """
    times = checked_horizons(horizons)
    values = tuple(finite(sample, f"sample {i}") for i, sample in enumerate(samples, start=1))
    if len(values) != times.size:
        raise BanditError(f"there are {times.size} horizons but {len(values)} samples")
    if min(value.size for value in values) < 2:
        raise NotMeasuredError("a standard error takes two replicates, not one")
    mean = np.array([value.mean() for value in values])
    se = np.array([value.std(ddof=1) / math.sqrt(value.size) for value in values])
    scale = np.array([np.abs(value).max() for value in values])
    return Measurements(times, mean, np.where(se <= ROUNDING * scale, 0.0, se), values)
