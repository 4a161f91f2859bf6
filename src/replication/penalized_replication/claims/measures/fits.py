"""The power law c T^p of a quantity measured by replicates at horizons T_1 < ... < T_m."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics import estimates
from penalized_replication.claims.parts import LEVEL
from penalized_replication.common.errors import NotMeasuredError


def _curve(ratio: FloatArray, middle: float, exponent: float) -> FloatArray:
    """Return u (T/T_0)^p where log(T/T_0) is ``ratio``."""
    return middle * np.exp(exponent * ratio)


def _jacobian(ratio: FloatArray, middle: float, exponent: float) -> FloatArray:
    """Return the derivatives of the curve by u and p, one row for each horizon."""
    growth = np.exp(exponent * ratio)
    return np.column_stack([growth, middle * ratio * growth])


def _search(ratio: FloatArray, mean: FloatArray, errors: FloatArray) -> tuple[float, float] | str:
    """Return least squares (u, p), or the reason why there is no minimum."""
    from scipy.optimize import OptimizeWarning, curve_fit  # takes long to import

    # The search stops at relative changes, also of parameters: values of order 1 suit it.
    size = float(np.abs(mean).max())
    if size < estimates.SMALLEST_SPREAD:
        return "all means are 0, which any exponent fits"
    # The best p of a grid: for each, the best u has a closed form.
    exponents = np.linspace(-3.0, 3.0, 121)
    basis, target = np.exp(exponents[:, None] * ratio) / errors, mean / errors
    middles = (basis * target).sum(axis=1) / (basis**2).sum(axis=1)
    best = int(np.argmin(((target - middles[:, None] * basis) ** 2).sum(axis=1)))
    try:
        # The covariance is computed from the Jacobian at the minimum, not taken from here.  A trial
        # exponent can be of any size: infinity makes the search turn back.
        with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
            warnings.simplefilter("ignore", OptimizeWarning)
            fitted: Any = curve_fit(
                _curve,
                ratio,
                mean / size,
                p0=(float(middles[best]) / size, float(exponents[best])),
                sigma=errors / size,
                absolute_sigma=True,
                jac=_jacobian,
                # From a start on the grid ten are enough, unless the exponent runs away.
                maxfev=200,
            )
    except (RuntimeError, ValueError) as error:
        return f"the search did not converge ({error})"
    middle, exponent = (float(value) for value in fitted[0])
    # A steeper power law fits a jump, not a growth.
    if not (math.isfinite(middle) and abs(exponent) <= 10):
        return f"the exponent ran away, to {exponent:.3g}"
    return middle * size, exponent


def fit_power(horizons: ArrayLike, samples: Sequence[FloatArray]) -> estimates.Estimate | str:
    """Return p of c T^p by weighted non-linear least squares, or the reason why there is no fit.

    They are of the quantity itself, not of its logarithm, since regret can be near 0 and its mean
    is what theorems speak of.  The search starts at the best p of a grid from -3 to 3, so that it
    depends on no guess.  c may be negative.

    The interval is by the curvature at the minimum (Wald), from the standard errors of the means,
    by the normal law.  Where chi^2 says (p < 0.05) that residuals are larger than these errors
    allow, it is widened by sqrt(chi^2/df) and uses Student's t; so it is if all errors are 0.

    There are three horizons or more; replicates (R_i,) of each must be independent of one another,
    and of those of other horizons.  Raises NotMeasuredError if a horizon has one replicate.
    """
    if min(sample.size for sample in samples) < 2:
        raise NotMeasuredError("a standard error takes two replicates, not one")
    mean = np.array([sample.mean() for sample in samples])
    se = np.array([sample.std(ddof=1) / math.sqrt(sample.size) for sample in samples])
    scale = np.array([np.abs(sample).max() for sample in samples])
    noisy = (se > estimates.ROUNDING * scale) & (se > estimates.SMALLEST_SPREAD)
    # An error of 0 weighs as the smallest other.
    errors = np.where(noisy, se, se[noisy].min() if noisy.any() else 1.0)
    logs = np.log(horizons)
    ratio = logs - logs.mean()
    fitted = _search(ratio, mean, errors)
    if isinstance(fitted, str):
        return fitted
    middle, exponent = fitted
    by_u, by_p = (_jacobian(ratio, middle, exponent) / errors[:, None]).T
    # The share of a change of p that no change of u makes up for.
    rest = by_p - by_u * ((by_u * by_p).sum() / (by_u**2).sum())
    square = (rest**2).sum()
    known = square > 1e-30 * (by_p**2).sum()
    influence = rest / square / errors if known else np.zeros_like(rest)
    variance = float(((influence * errors) ** 2).sum())
    chi_squared = float((((mean - _curve(ratio, middle, exponent)) / errors) ** 2).sum())
    degrees = len(samples) - 2
    widened = not noisy.any() or chdtrc(degrees, chi_squared) < LEVEL
    if widened:
        variance *= chi_squared / degrees
    half = (estimates.student(degrees + 1) if widened else estimates.NORMAL) * math.sqrt(variance)
    return estimates.Estimate(exponent, exponent - half, exponent + half, len(samples))
