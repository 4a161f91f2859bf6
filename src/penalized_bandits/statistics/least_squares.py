"""Weighted least squares: parameters of a law, their intervals, how well the law agrees.

Weights are 1/se^2, and standard errors count as known, so means should be of 20 replicates or
more.  Two things hold for every fit:

- Intervals are from the standard errors of the means, by the normal law.  Where chi^2 says
  (p < 0.05) that residuals are larger than these errors allow, the law is not exact and the
  intervals are widened by sqrt(chi^2/df) and use Student's t.  ``interval_from`` says which.
- If all standard errors are 0 the data are exact: equal weights, intervals from residuals
  alone, of no width if the law is exact too.  If some are 0, they count as the smallest of
  the others: replicates that agree at one horizon do not make that horizon certain.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import chdtrc

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL, Estimate, student
from penalized_bandits.statistics.measurements import Measurements

Source: TypeAlias = Literal["standard errors", "residuals"]

MISFIT = 0.05
"""Residuals less likely than this under the standard errors widen the intervals."""
EXACT = 1e-9
"""Errors below this share of the largest value are rounding: the law is met exactly."""


@dataclass(frozen=True, eq=False)
class Quality:
    """Agreement of a law with the means that it was fitted to."""

    chi_squared: float
    """Residuals in units of the standard errors, squared and summed; 0 or infinite for exact
    data that do or do not meet the law."""
    degrees: int
    p_misfit: float
    """Chance of residuals as large as these if the law held."""
    interval_from: Source
    """Source of the reported intervals."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Parameters of a law and what is known of them."""

    parameters: FloatArray
    covariance: FloatArray
    """Of the parameters, as reported."""
    half_widths: float
    """Standard errors in half a reported interval."""
    n_horizons: int
    quality: Quality

    def estimate(self, index: int) -> Estimate:
        """Return a parameter with its reported interval."""
        value = float(self.parameters[index])
        half = self.half_widths * math.sqrt(max(self.covariance[index, index], 0.0))
        return Estimate(value, value - half, value + half, self.n_horizons)


def influence_of(jacobian: FloatArray, errors: FloatArray) -> FloatArray:
    """Return the matrix that turns means into weighted least-squares parameters."""
    weighted = jacobian / errors[:, None]
    # Columns are scaled: 1 and log T, or T^p and T^p log T, can be of very different size.
    scale = np.linalg.norm(weighted, axis=0)
    return np.linalg.pinv(weighted / scale) / scale[:, None] / errors[None, :]


def judge(
    data: Measurements, parameters: FloatArray, jacobian: FloatArray, residuals: FloatArray
) -> Solution:
    """Put errors to parameters: by standard errors, widened where residuals are too large."""
    influence = influence_of(jacobian, data.errors)
    degrees = residuals.size - parameters.size
    if data.exact:
        met = float(np.abs(residuals).max()) <= EXACT * max(data.size, np.finfo(np.float64).tiny)
        variance = 0.0 if met else float(residuals @ residuals) / degrees
        covariance = variance * (influence @ influence.T)
        chi_squared, p_misfit = (0.0, 1.0) if met else (math.inf, 0.0)
        from_residuals = True
    else:
        covariance = influence @ data.covariance @ influence.T
        whitened = residuals / data.errors
        chi_squared = float(whitened @ whitened)
        p_misfit = float(chdtrc(degrees, chi_squared))
        from_residuals = p_misfit < MISFIT
        if from_residuals:
            covariance = chi_squared / degrees * covariance
    half_widths = student(degrees + 1) if from_residuals else NORMAL
    source: Source = "residuals" if from_residuals else "standard errors"
    quality = Quality(chi_squared, degrees, p_misfit, source)
    return Solution(parameters, covariance, half_widths, residuals.size, quality)


def solve(data: Measurements, design: FloatArray) -> Solution:
    """Fit a law that is linear in its parameters."""
    parameters = influence_of(design, data.errors) @ data.mean
    return judge(data, parameters, design, data.mean - design @ parameters)
