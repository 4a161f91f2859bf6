"""Scaling laws of a quantity measured by replicates at horizons T_1 < ... < T_m.

Three laws: ``plateau`` (a constant, or a - b/T^q with q given), ``log`` (a + b log T) and
``power`` (c T^p).  All are least squares with weights 1/se^2 on the quantity itself, not on
its logarithm, since regret can be near 0 and its mean is what theorems speak of.  How
intervals are made is said in :mod:`penalized_bandits.statistics.least_squares`; horizons are
independent of one another.
"""

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import SMALLEST_SPREAD, Estimate
from penalized_bandits.statistics.least_squares import EXACT, Quality, judge, solve
from penalized_bandits.statistics.measurements import Measurements

LARGEST_EXPONENT = 10.0
"""A power law steeper than this has run away: it fits a jump, not a growth."""


@dataclass(frozen=True, eq=False)
class LogFit:
    """a + b log T."""

    intercept: Estimate
    slope: Estimate
    """b with its reported interval: see ``quality.interval_from``."""
    quality: Quality


@dataclass(frozen=True, eq=False)
class PlateauFit:
    """A constant a, or a - b/T^q with q given."""

    level: Estimate
    """a, where the quantity ends."""
    approach: Estimate | None
    """b: positive where the quantity rises to its plateau; None for a constant."""
    quality: Quality


@dataclass(frozen=True, eq=False)
class PowerFit:
    """u (T/T_0)^p, which is c T^p, with T_0 the geometric mean of the horizons."""

    middle: Estimate
    """u, the law at T_0."""
    exponent: Estimate
    """p with its reported interval: see ``quality.interval_from``."""
    reference: float
    """T_0."""
    quality: Quality
    message: str = ""
    """Why there is no fit: then numbers are NaN and intervals the whole line."""

    @property
    def converged(self) -> bool:
        """Whether there is a fit."""
        return not self.message


def log_design(horizons: FloatArray) -> FloatArray:
    """Return the columns of a + b log T."""
    return np.column_stack([np.ones(horizons.size), np.log(horizons)])


def plateau_design(horizons: FloatArray, rate: float | None) -> FloatArray:
    """Return the columns of a - b/T^q with q the rate, or of a alone."""
    ones = np.ones(horizons.size)
    return ones[:, None] if rate is None else np.column_stack([ones, -(horizons**-rate)])


def fit_log(data: Measurements) -> LogFit:
    """Fit a + b log T by weighted least squares."""
    solved = solve(data, log_design(data.horizons))
    return LogFit(solved.estimate(0), solved.estimate(1), solved.quality)


def fit_plateau(data: Measurements, rate: float | None = None) -> PlateauFit:
    """Fit a constant, or a - b/T^q where the rate q > 0 is given, by weighted least squares.

    The rate is not fitted: near 0 it turns the law into a + b log T, and few horizons cannot
    tell rates apart.
    """
    solved = solve(data, plateau_design(data.horizons, rate))
    approach = None if rate is None else solved.estimate(1)
    return PlateauFit(solved.estimate(0), approach, solved.quality)


def power_curve(ratio: FloatArray, middle: float, exponent: float) -> FloatArray:
    """Return u (T/T_0)^p where log(T/T_0) is ``ratio``."""
    # A trial exponent can be of any size: infinity makes the search turn back.
    with np.errstate(over="ignore", invalid="ignore"):
        return middle * np.exp(exponent * ratio)


def power_jacobian(ratio: FloatArray, middle: float, exponent: float) -> FloatArray:
    """Return the derivatives of `power_curve` by u and p, one row for each horizon."""
    with np.errstate(over="ignore", invalid="ignore"):
        growth = np.exp(exponent * ratio)
        return np.column_stack([growth, middle * ratio * growth])


def reference_of(horizons: FloatArray) -> tuple[float, FloatArray]:
    """Return T_0 and log(T/T_0)."""
    logs = np.log(horizons)
    return float(np.exp(logs.mean())), logs - logs.mean()


def start_of_search(ratio: FloatArray, mean: FloatArray, errors: FloatArray) -> tuple[float, float]:
    """Return the best (u, p) over a grid of p: for each, the best u has a closed form."""
    exponents = np.linspace(-3.0, 3.0, 121)
    basis = np.exp(exponents[:, None] * ratio) / errors
    target = mean / errors
    middles = (basis @ target) / (basis**2).sum(axis=1)
    loss = ((target - middles[:, None] * basis) ** 2).sum(axis=1)
    best = int(np.argmin(loss))
    return float(middles[best]), float(exponents[best])


def search_power(
    ratio: FloatArray, mean: FloatArray, errors: FloatArray, start: tuple[float, float]
) -> tuple[float, float] | str:
    """Least squares for (u, p) from a start, or the reason why there is no minimum."""
    from scipy.optimize import OptimizeWarning, curve_fit  # takes long to import

    # The search stops at relative changes, also of parameters: values of order 1 suit it.
    size = float(np.abs(mean).max())
    if size < SMALLEST_SPREAD:
        return "all means are 0, which any exponent fits"
    try:
        # The covariance is computed from the Jacobian at the minimum, not taken from here.
        with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
            warnings.simplefilter("ignore", OptimizeWarning)
            found: Any = curve_fit(
                power_curve,
                ratio,
                mean / size,
                p0=(start[0] / size, start[1]),
                sigma=errors / size,
                absolute_sigma=True,
                jac=power_jacobian,
                # From a start on the grid ten are enough, unless the exponent runs away.
                maxfev=200,
            )
    except (RuntimeError, ValueError) as error:
        return f"the search did not converge ({error})"
    middle, exponent = (float(value) for value in found[0])
    if not (math.isfinite(middle) and abs(exponent) <= LARGEST_EXPONENT):
        return f"the exponent ran away, to {exponent:.3g}"
    if abs(middle) <= EXACT * float(np.exp(-abs(exponent) * np.abs(ratio).max())):
        return "the best curve is 0, which any exponent fits"
    return middle * size, exponent


def fit_power(data: Measurements) -> PowerFit:
    """Fit c T^p by weighted non-linear least squares on the original scale.

    The search (`scipy.optimize.curve_fit`, Levenberg and Marquardt) starts at the best p of a
    grid from -3 to 3, so that it depends on no guess.  c may be negative.  If there is no
    minimum, or any exponent would do, ``converged`` is False and ``message`` says why.

    Intervals are from the curvature at the minimum (Wald): too short for p where the means
    are not clearly different from 0.
    """
    reference, ratio = reference_of(data.horizons)
    start = start_of_search(ratio, data.mean, data.errors)
    found = search_power(ratio, data.mean, data.errors, start)
    if isinstance(found, str):
        m = data.mean.size
        nothing = Estimate(math.nan, -math.inf, math.inf, m)
        unknown = Quality(math.nan, m - 2, math.nan, "standard errors")
        return PowerFit(nothing, nothing, reference, unknown, found)
    residuals = data.mean - power_curve(ratio, *found)
    solved = judge(data, np.array(found), power_jacobian(ratio, *found), residuals)
    return PowerFit(solved.estimate(0), solved.estimate(1), reference, solved.quality)
