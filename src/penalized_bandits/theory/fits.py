"""Scaling laws of a quantity measured by replicates at horizons T_1 < ... < T_m.

Three laws: ``plateau`` (a constant, or a - b/T^q with q given), ``log`` (a + b log T) and
``power`` (c T^p).  All are least squares with weights 1/se^2 on the quantity itself, not on
its logarithm, since regret can be near 0 and its mean is what theorems speak of.

Three things hold for every fit:

- Intervals are from the standard errors of the means, by the normal law.  Where chi^2 says
  (p < 0.05) that residuals are larger than these errors allow, the law is not exact and the
  intervals are widened by sqrt(chi^2/df) and use Student's t.  ``interval_from`` says which.
- Horizons are independent unless a covariance of the means is given (from replicates that
  run through all horizons, common random numbers).  It enters intervals and chi^2, not the
  weights: the optimal weights under strong correlation are unstable and can be negative.
- If all standard errors are 0 the data are exact: equal weights, intervals from residuals
  alone, of no width if the law is exact too.  If some are 0, they count as the smallest of
  the others: replicates that agree at one horizon do not make that horizon certain.

Standard errors count as known, so that means should be of 20 replicates or more.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtri, stdtrit

from penalized_bandits.errors import BanditError, NotMeasuredError
from penalized_bandits.theory.statistics import (
    LEVEL,
    ROUNDING,
    SMALLEST_SPREAD,
    Estimate,
    Side,
    finite,
    resampled_means,
)
from penalized_bandits.typing import FloatArray

Law: TypeAlias = Literal["plateau", "log", "power"]
Decision: TypeAlias = Literal["plateau", "log", "power", "undecided"]
Source: TypeAlias = Literal["standard errors", "residuals"]

LAWS: tuple[Law, ...] = ("plateau", "log", "power")
FEWEST_HORIZONS = 3
LONGEST = 1e18
"""Horizons are at most this: powers of them, and their squares, stay finite."""
MISFIT = 0.05
"""Residuals less likely than this under the standard errors widen the intervals."""
EXACT = 1e-9
"""Errors below this share of the largest value are rounding: the law is met exactly."""
LARGEST_EXPONENT = 10.0
"""A power law steeper than this has run away: it fits a jump, not a growth."""

MARGIN = math.log(19.0)
"""Lead in log predictive density that decides: 95 % against 5 % at equal prior odds."""
SHARE = 0.95
"""Share of resamples in which the lead must have the same sign."""
CLEARLY_NEARER = 2.0
"""Ratio of held-out errors that decides between laws where the data are exact."""
APPROACH_RATE = 0.5
"""The q of a - b/T^q where `choose_law` lets a plateau be approached."""


# --- Data -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Measurements:
    """Means at horizons and what is known of their errors."""

    horizons: FloatArray
    """T_1 < ... < T_m."""
    mean: FloatArray
    se: FloatArray
    """Standard errors of the means; 0 where replicates agree."""
    covariance: FloatArray | None
    """Covariance of the means where replicates run through all horizons, else None."""


def checked_horizons(horizons: ArrayLike, fewest: int = FEWEST_HORIZONS) -> FloatArray:
    """Return horizons as an array.

    Raises NotMeasuredError if they are too few, BanditError if they do not increase.
    """
    times = finite(horizons, "horizons")
    if times.size < fewest:
        raise NotMeasuredError(f"a fit takes {fewest} horizons, not {times.size}")
    if times[0] < 1 or times[-1] > LONGEST or (np.diff(times) <= 0).any():
        raise BanditError(
            f"horizons {times.tolist()} must be positive and increase, from at least 1 to at "
            f"most {LONGEST:g}"
        )
    return times


def measure(
    horizons: ArrayLike, samples: Sequence[ArrayLike], paired: bool = False
) -> Measurements:
    """Return means and standard errors of replicates.

    Parameters
    ----------
    horizons
        T_1 < ... < T_m, at least three.
    samples
        For each horizon the values of its replicates, (R_i,), at least two.  They must be
        independent of one another: average over what shares a draw first.
    paired
        Whether entry r is the same replicate at all horizons (one run seen at several times,
        or common random numbers): then the covariance of the means is estimated as well.
    """
    times = checked_horizons(horizons)
    values = [finite(sample, f"sample {i}") for i, sample in enumerate(samples, start=1)]
    if len(values) != times.size:
        raise BanditError(f"there are {times.size} horizons but {len(values)} samples")
    sizes = [value.size for value in values]
    if min(sizes) < 2:
        raise NotMeasuredError("a standard error takes two replicates, not one")
    mean = np.array([value.mean() for value in values])
    se = np.array([value.std(ddof=1) / math.sqrt(value.size) for value in values])
    scale = np.array([np.abs(value).max() for value in values])
    se[se <= np.maximum(ROUNDING * scale, SMALLEST_SPREAD)] = 0.0
    covariance = None
    if paired:
        if len(set(sizes)) != 1:
            raise BanditError(f"paired samples have {sizes} replicates: they must be as many")
        covariance = np.atleast_2d(np.cov(np.stack(values))) / sizes[0]
    return Measurements(times, mean, se, covariance)


def _measurements(
    horizons: ArrayLike,
    mean: ArrayLike,
    se: ArrayLike,
    covariance: ArrayLike | None = None,
) -> Measurements:
    """Check means and standard errors given by hand."""
    times = checked_horizons(horizons)
    means, errors = finite(mean, "mean"), finite(se, "se")
    if not times.size == means.size == errors.size:
        raise BanditError(
            f"there are {times.size} horizons, {means.size} means, {errors.size} standard errors"
        )
    if (errors < 0).any():
        raise BanditError(f"standard errors {errors.tolist()} must not be negative")
    errors = np.where(errors <= SMALLEST_SPREAD, 0.0, errors)
    if covariance is None:
        return Measurements(times, means, errors, None)
    matrix = finite(covariance, "covariance", dimensions=2)
    if matrix.shape != (times.size, times.size):
        raise BanditError(f"covariance has shape {matrix.shape}: it must be square, {times.size}")
    return Measurements(times, means, errors, matrix)


def _error_model(data: Measurements) -> tuple[FloatArray, FloatArray]:
    """Return the standard errors that weigh, and the covariance of the means.

    Weights are equal and the covariance 0 where all data are exact.
    """
    m = data.mean.size
    positive = data.se > 0
    if not positive.any():
        return np.ones(m), np.zeros((m, m))
    errors = np.where(positive, data.se, data.se[positive].min())
    covariance = np.zeros((m, m)) if data.covariance is None else data.covariance.copy()
    np.fill_diagonal(covariance, errors**2)
    return errors, covariance


# --- Least squares --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Quality:
    """How well a law agrees with the means that it was fitted to."""

    chi_squared: float
    """Residuals in units of the standard errors, squared and summed; 0 or infinite for exact
    data that do or do not meet the law."""
    degrees: int
    p_misfit: float
    """Chance of residuals as large as these if the law held."""
    interval_from: Source
    """Where the reported intervals come from."""


@dataclass(frozen=True, eq=False)
class _Solved:
    """Parameters, their covariance by standard errors alone, and what widens it."""

    parameters: FloatArray
    covariance: FloatArray
    factor: float
    """By which reported variances exceed those by standard errors."""
    half_widths: float
    """Standard errors in half a reported interval."""
    reported: FloatArray
    """Covariance of the parameters as reported."""
    quality: Quality

    def estimate(self, index: int, n: int) -> Estimate:
        value = float(self.parameters[index])
        half = self.half_widths * math.sqrt(max(self.reported[index, index], 0.0))
        return Estimate(value, value - half, value + half, n)

    def estimate_by_errors(self, index: int, n: int) -> Estimate:
        value = float(self.parameters[index])
        half = _NORMAL * math.sqrt(max(self.covariance[index, index], 0.0))
        return Estimate(value, value - half, value + half, n)


_NORMAL = float(ndtri((1 + LEVEL) / 2))


def _influence(jacobian: FloatArray, errors: FloatArray) -> FloatArray:
    """Return the matrix that turns means into weighted least-squares parameters."""
    weighted = jacobian / errors[:, None]
    # Columns are scaled: 1 and log T, or T^p and T^p log T, can be of very different size.
    scale = np.linalg.norm(weighted, axis=0)
    return np.linalg.pinv(weighted / scale) / scale[:, None] / errors[None, :]


def _judge(
    data: Measurements, parameters: FloatArray, jacobian: FloatArray, residuals: FloatArray
) -> _Solved:
    """Put errors to parameters: by standard errors, widened where residuals are too large."""
    errors, covariance = _error_model(data)
    influence = _influence(jacobian, errors)
    by_errors = influence @ covariance @ influence.T
    degrees = residuals.size - parameters.size
    if not covariance.any():
        scale = max(float(np.abs(data.mean).max()), np.finfo(np.float64).tiny)
        exact = float(np.abs(residuals).max()) <= EXACT * scale
        variance = 0.0 if exact else float(residuals @ residuals) / degrees
        reported = variance * (influence @ influence.T)
        quality = Quality(0.0 if exact else math.inf, degrees, float(exact), "residuals")
        student = float(stdtrit(degrees, (1 + LEVEL) / 2))
        return _Solved(parameters, by_errors, 1.0, student, reported, quality)
    whitened = residuals / errors
    if data.covariance is None:
        chi_squared = float(whitened @ whitened)
    else:
        # Residuals live where the fit cannot reach: the inverse is within that space.
        left = (np.eye(residuals.size) - jacobian @ influence) / errors[:, None]
        spread = left @ covariance @ left.T
        values, vectors = np.linalg.eigh(spread)
        kept = values > EXACT * max(values.max(), 1.0)
        degrees = min(degrees, int(kept.sum()))
        chi_squared = float(((vectors[:, kept].T @ whitened) ** 2 / values[kept]).sum())
    p_misfit = float(chdtrc(degrees, chi_squared)) if degrees else 1.0
    if p_misfit >= MISFIT:
        quality = Quality(chi_squared, degrees, p_misfit, "standard errors")
        return _Solved(parameters, by_errors, 1.0, _NORMAL, by_errors, quality)
    factor = chi_squared / degrees
    student = float(stdtrit(degrees, (1 + LEVEL) / 2))
    quality = Quality(chi_squared, degrees, p_misfit, "residuals")
    return _Solved(parameters, by_errors, factor, student, factor * by_errors, quality)


def _solve_linear(data: Measurements, design: FloatArray) -> _Solved:
    errors, _ = _error_model(data)
    parameters = _influence(design, errors) @ data.mean
    return _judge(data, parameters, design, data.mean - design @ parameters)


def _spread(gradient: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the standard errors of fitted values, one for each row of the gradient."""
    return np.sqrt(np.maximum(((gradient @ covariance) * gradient).sum(axis=1), 0.0))


def _log_design(horizons: FloatArray) -> FloatArray:
    return np.column_stack([np.ones(horizons.size), np.log(horizons)])


def _plateau_design(horizons: FloatArray, rate: float | None) -> FloatArray:
    ones = np.ones(horizons.size)
    return ones[:, None] if rate is None else np.column_stack([ones, -(horizons**-rate)])


@dataclass(frozen=True, eq=False)
class LogFit:
    """a + b log T."""

    intercept: Estimate
    slope: Estimate
    """b with its reported interval: see ``quality.interval_from``."""
    slope_by_errors: Estimate
    """b with the interval of the standard errors alone."""
    covariance: FloatArray
    """Of (a, b), as reported."""
    quality: Quality

    def predict(self, horizons: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the law at some horizons and the standard error of the fit there."""
        design = _log_design(checked_horizons(horizons, fewest=1))
        value = design @ [self.intercept.value, self.slope.value]
        return value, _spread(design, self.covariance)


@dataclass(frozen=True, eq=False)
class PlateauFit:
    """A constant a, or a - b/T^q with q given."""

    level: Estimate
    """a, where the quantity ends."""
    approach: Estimate | None
    """b: positive where the quantity rises to its plateau; None for a constant."""
    rate: float | None
    """q; None for a constant."""
    covariance: FloatArray
    """Of (a,) or (a, b), as reported."""
    quality: Quality

    def predict(self, horizons: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the law at some horizons and the standard error of the fit there."""
        design = _plateau_design(checked_horizons(horizons, fewest=1), self.rate)
        approach = [] if self.approach is None else [self.approach.value]
        return design @ [self.level.value, *approach], _spread(design, self.covariance)


@dataclass(frozen=True, eq=False)
class PowerFit:
    """c T^p, as u (T/T_0)^p with T_0 the geometric mean of the horizons."""

    converged: bool
    """Whether there is a fit: if not, all numbers are NaN and intervals the whole line."""
    message: str
    """Why there is none; empty if there is one."""
    scale: float
    """c, an extrapolation to T = 1."""
    exponent: Estimate
    """p with its reported interval: see ``quality.interval_from``."""
    exponent_by_errors: Estimate
    """p with the interval of the standard errors alone."""
    middle: Estimate
    """u, the law at T_0."""
    reference: float
    """T_0."""
    covariance: FloatArray
    """Of (u, p), as reported."""
    quality: Quality

    def predict(self, horizons: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the law at some horizons and the standard error of the fit there."""
        if not self.converged:
            raise BanditError(f"there is no power law to predict from: {self.message}")
        ratio = np.log(checked_horizons(horizons, fewest=1) / self.reference)
        parameters = (self.middle.value, self.exponent.value)
        return _power(ratio, *parameters), _spread(
            _power_jacobian(ratio, *parameters), self.covariance
        )


def fit_log(
    horizons: ArrayLike, mean: ArrayLike, se: ArrayLike, covariance: ArrayLike | None = None
) -> LogFit:
    """Fit a + b log T by weighted least squares.

    Parameters
    ----------
    horizons, mean, se
        Shape (m,), m at least 3; see `measure`.
    covariance
        Covariance of the means, (m, m), where horizons share replicates.
    """
    data = _measurements(horizons, mean, se, covariance)
    return _fit_log(data)


def _fit_log(data: Measurements) -> LogFit:
    m = data.mean.size
    solved = _solve_linear(data, _log_design(data.horizons))
    return LogFit(
        solved.estimate(0, m),
        solved.estimate(1, m),
        solved.estimate_by_errors(1, m),
        solved.reported,
        solved.quality,
    )


def fit_plateau(
    horizons: ArrayLike,
    mean: ArrayLike,
    se: ArrayLike,
    rate: float | None = None,
    covariance: ArrayLike | None = None,
) -> PlateauFit:
    """Fit a constant, or a - b/T^q where the rate q > 0 is given, by weighted least squares.

    The rate is not fitted: near 0 it turns the law into a + b log T, and few horizons cannot
    tell rates apart.
    """
    if rate is not None and not (math.isfinite(rate) and rate > 0):
        raise BanditError(f"rate is {rate:g}: it must be positive")
    return _fit_plateau(_measurements(horizons, mean, se, covariance), rate)


def _fit_plateau(data: Measurements, rate: float | None) -> PlateauFit:
    m = data.mean.size
    solved = _solve_linear(data, _plateau_design(data.horizons, rate))
    approach = None if rate is None else solved.estimate(1, m)
    return PlateauFit(solved.estimate(0, m), approach, rate, solved.reported, solved.quality)


def _power(ratio: FloatArray, middle: float, exponent: float) -> FloatArray:
    # A trial exponent can be of any size: infinity makes the search turn back.
    with np.errstate(over="ignore", invalid="ignore"):
        return middle * np.exp(exponent * ratio)


def _power_jacobian(ratio: FloatArray, middle: float, exponent: float) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        growth = np.exp(exponent * ratio)
        return np.column_stack([growth, middle * ratio * growth])


def _start(ratio: FloatArray, mean: FloatArray, errors: FloatArray) -> tuple[float, float]:
    """Return the best (u, p) over a grid of p: for each, the best u has a closed form."""
    exponents = np.linspace(-3.0, 3.0, 121)
    basis = np.exp(exponents[:, None] * ratio) / errors
    target = mean / errors
    middles = (basis @ target) / (basis**2).sum(axis=1)
    loss = ((target - middles[:, None] * basis) ** 2).sum(axis=1)
    best = int(np.argmin(loss))
    return float(middles[best]), float(exponents[best])


def _search(
    ratio: FloatArray, mean: FloatArray, errors: FloatArray, start: tuple[float, float]
) -> tuple[FloatArray | None, str]:
    """Least squares for (u, p) from a start; None and the reason if there is no minimum."""
    from scipy.optimize import OptimizeWarning, curve_fit  # takes long to import

    # The search stops at relative changes, also of parameters: values of order 1 suit it.
    size = float(np.abs(mean).max())
    if size < SMALLEST_SPREAD:
        return None, "all means are 0, which any exponent fits"
    try:
        # The covariance is computed from the Jacobian at the minimum, not taken from here.
        with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
            warnings.simplefilter("ignore", OptimizeWarning)
            found: Any = curve_fit(
                _power,
                ratio,
                mean / size,
                p0=(start[0] / size, start[1]),
                sigma=errors / size,
                absolute_sigma=True,
                jac=_power_jacobian,
                # From a start on the grid ten are enough, unless the exponent runs away.
                maxfev=200,
            )
    except (RuntimeError, ValueError) as error:
        return None, f"the search did not converge ({error})"
    middle, exponent = (float(value) for value in found[0])
    if not (math.isfinite(middle) and abs(exponent) <= LARGEST_EXPONENT):
        return None, f"the exponent ran away, to {exponent:.3g}"
    if abs(middle) <= EXACT * float(np.exp(-abs(exponent) * np.abs(ratio).max())):
        return None, "the best curve is 0, which any exponent fits"
    return np.array([middle * size, exponent]), ""


def fit_power(
    horizons: ArrayLike, mean: ArrayLike, se: ArrayLike, covariance: ArrayLike | None = None
) -> PowerFit:
    """Fit c T^p by weighted non-linear least squares on the original scale.

    The search (`scipy.optimize.curve_fit`, Levenberg and Marquardt) starts at the best p of a
    grid from -3 to 3, so that it depends on no guess.  c may be negative.  If there is no
    minimum, or any exponent would do, ``converged`` is False and ``message`` says why.

    Intervals are from the curvature at the minimum (Wald): too short for p where the means
    are not clearly different from 0.
    """
    return _fit_power(_measurements(horizons, mean, se, covariance))


def _power_ratio(data: Measurements) -> tuple[float, FloatArray]:
    """Return T_0 and log(T/T_0)."""
    logs = np.log(data.horizons)
    return float(np.exp(logs.mean())), logs - logs.mean()


def _fit_power(data: Measurements) -> PowerFit:
    m = data.mean.size
    errors, _ = _error_model(data)
    reference, ratio = _power_ratio(data)
    parameters, message = _search(ratio, data.mean, errors, _start(ratio, data.mean, errors))
    if parameters is None:
        nothing = Estimate(math.nan, -math.inf, math.inf, m)
        return PowerFit(
            converged=False,
            message=message,
            scale=math.nan,
            exponent=nothing,
            exponent_by_errors=nothing,
            middle=nothing,
            reference=reference,
            covariance=np.full((2, 2), np.nan),
            quality=Quality(math.nan, m - 2, math.nan, "standard errors"),
        )
    middle, exponent = float(parameters[0]), float(parameters[1])
    jacobian = _power_jacobian(ratio, middle, exponent)
    solved = _judge(data, parameters, jacobian, data.mean - _power(ratio, middle, exponent))
    return PowerFit(
        converged=True,
        message="",
        scale=middle * reference**-exponent,
        exponent=solved.estimate(1, m),
        exponent_by_errors=solved.estimate_by_errors(1, m),
        middle=solved.estimate(0, m),
        reference=reference,
        covariance=solved.reported,
        quality=solved.quality,
    )


# --- Choice of a law ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LawChoice:
    """Which law predicts the held-out horizons, and whether that is decided."""

    decision: Decision
    reason: str
    """The decision in a sentence."""
    best: Law
    """The law with the highest score, whether or not that decides anything."""
    margin: float
    """Lead of the best law's score over the next."""
    share: float
    """Share of resamples in which the best law also leads the next."""
    scores: dict[Law, float]
    """Log predictive density of the held-out means (exact data: see `choose_law`); minus
    infinity for a power law that could not be fitted."""
    errors: dict[Law, FloatArray]
    """Held-out mean minus prediction, in standard errors of that difference (exact data: in
    the quantity's own units)."""
    held_out: FloatArray
    """The horizons predicted."""
    growth: Estimate
    """b log(T_m/T_1) of the log law over all horizons: how much the quantity grows."""
    allowed_growth: float
    """Growth up to which the quantity counts as a plateau."""
    plateau: PlateauFit
    """Over all horizons, as are the two others."""
    log: LogFit
    power: PowerFit


class _Race:
    """The laws' predictions of held-out means, for the data and for resamples of them."""

    def __init__(self, data: Measurements, held_out: int, draws: FloatArray) -> None:
        self.n_train = data.mean.size - held_out
        self.horizons = data.horizons[self.n_train :]
        self.weights, self.covariance = _error_model(data)
        self.exact = not self.covariance.any()
        # Errors as the whole table has them: a horizon whose replicates all agree gets the
        # smallest standard error of all horizons, not of its part.
        part = slice(None, self.n_train)
        self.train = Measurements(
            data.horizons[part],
            data.mean[part],
            np.sqrt(np.diag(self.covariance))[part],
            None if data.covariance is None else self.covariance[part, part],
        )
        self.mean = data.mean
        self.size = float(np.abs(data.mean).max())
        self.draws = draws
        self.scores: dict[Law, float] = {}
        self.errors: dict[Law, FloatArray] = {}
        self.drawn: dict[Law, FloatArray] = {}
        self.rate = self._plateau_rate()
        self._linear("plateau", lambda times: _plateau_design(times, self.rate))
        self._linear("log", _log_design)
        self._power_law()

    def _plateau_rate(self) -> float | None:
        """Whether a plateau is approached or level: training horizons alone decide."""
        approach = _fit_plateau(self.train, APPROACH_RATE).approach
        flat = approach is None or approach.low <= 0 <= approach.high
        return None if flat else APPROACH_RATE

    def _enter(
        self,
        law: Law,
        errors: FloatArray,
        drawn: FloatArray,
        train_jacobian: FloatArray,
        held_jacobian: FloatArray,
    ) -> None:
        """Score prediction errors: (h,) of the data and (B, h) of the resamples."""
        from scipy.stats import multivariate_normal  # takes long to import

        if self.exact:
            error = max(math.sqrt(float(np.mean(errors**2))), EXACT * self.size)
            self.scores[law] = -errors.size * math.log(error) if error > 0 else math.inf
            self.errors[law] = errors
            return
        # The error of prediction is linear in the means of all horizons, so its variance
        # takes in the fit, the held-out means and what they share.
        influence = _influence(train_jacobian, self.weights[: self.n_train])
        difference = np.hstack([-held_jacobian @ influence, np.eye(errors.size)])
        spread = difference @ self.covariance @ difference.T
        # Replicates that move together can leave no variance in some direction.
        spread += 1e-8 * float(np.diag(spread).mean()) * np.eye(errors.size)
        normal: Any = multivariate_normal
        density = normal(np.zeros(errors.size), spread)
        self.scores[law] = float(density.logpdf(errors))
        self.errors[law] = errors / np.sqrt(np.diag(spread))
        usable = np.isfinite(drawn).all(axis=1)
        self.drawn[law] = np.full(len(drawn), np.nan)
        self.drawn[law][usable] = np.atleast_1d(density.logpdf(drawn[usable]))

    def _linear(self, law: Law, design: Any) -> None:
        train, held = design(self.train.horizons), design(self.horizons)
        predict = held @ _influence(train, self.weights[: self.n_train])

        def errors(means: FloatArray) -> FloatArray:
            return means[..., self.n_train :] - means[..., : self.n_train] @ predict.T

        self._enter(law, errors(self.mean), errors(self.draws), train, held)

    def _power_law(self) -> None:
        reference, ratio = _power_ratio(self.train)
        held_ratio = np.log(self.horizons / reference)
        weights = self.weights[: self.n_train]
        train_mean = self.mean[: self.n_train]
        start = _start(ratio, train_mean, weights)
        parameters, _ = _search(ratio, train_mean, weights, start)
        self.has_power = parameters is not None
        if parameters is None:
            self.scores["power"] = -math.inf
            self.errors["power"] = np.full(self.horizons.size, np.nan)
            self.drawn["power"] = np.full(len(self.draws), np.nan)
            return
        best = (float(parameters[0]), float(parameters[1]))

        def errors(means: FloatArray) -> FloatArray:
            found, _ = _search(ratio, means[: self.n_train], weights, best)
            if found is None:
                return np.full(self.horizons.size, np.nan)
            return means[self.n_train :] - _power(held_ratio, float(found[0]), float(found[1]))

        drawn = np.array([errors(means) for means in self.draws])
        self._enter(
            "power",
            self.mean[self.n_train :] - _power(held_ratio, *best),
            drawn.reshape(len(self.draws), self.horizons.size),
            _power_jacobian(ratio, *best),
            _power_jacobian(held_ratio, *best),
        )

    def lead(self, law: Law, rival: Law) -> tuple[float, float]:
        """Return the lead in score of one law over another, and how often resamples agree."""
        first, second = self.scores[law], self.scores[rival]
        margin = 0.0 if first == second else first - second
        if self.exact:
            return margin, float(margin > 0)
        # A resample without a power law speaks for nobody: it is not a win.
        return margin, float(np.mean(self.drawn[law] > self.drawn[rival]))

    def beats(self, law: Law, rival: Law) -> bool:
        """Whether one law clearly predicts better than another."""
        if "power" in (law, rival) and not self.has_power:
            return False
        margin, share = self.lead(law, rival)
        if self.exact:
            return margin >= self.horizons.size * math.log(CLEARLY_NEARER)
        return margin >= MARGIN and share >= SHARE


def choose_law(
    horizons: ArrayLike,
    samples: Sequence[ArrayLike] | None = None,
    *,
    mean: ArrayLike | None = None,
    se: ArrayLike | None = None,
    held_out: int = 2,
    paired: bool = False,
    tolerance: float = 0.1,
    absolute_tolerance: float = 0.0,
    smallest_exponent: float = 0.1,
    seed: int = 0,
    resamples: int = 499,
) -> LawChoice:
    """Choose between plateau, log T and a power of T by predicting held-out horizons.

    Parameters
    ----------
    horizons
        T_1 < ... < T_m; all but the ``held_out`` largest are fitted to: at least three.
    samples
        Values of independent replicates at each horizon, see `measure`; or else
    mean, se
        Means and standard errors of independent horizons; se = 0 throughout for exact data.
    held_out
        How many of the largest horizons are predicted.
    paired
        Whether entry r of all samples is the same replicate.
    tolerance, absolute_tolerance
        Growth between T_1 and T_m that counts as none: ``absolute_tolerance`` + ``tolerance``
        times the size of the fitted constant.
    smallest_exponent
        Powers of T no larger than this are not told from log T.
    seed, resamples
        Of the bootstrap over replicates.

    Notes
    -----
    *Score.*  Each law is fitted to the smaller horizons.  Its score is the log density of the
    held-out means under a normal law (joint over the held-out horizons) around its
    predictions, whose variance is that of the means plus that of the fit, by standard errors
    alone.  The plateau is a constant, unless the smaller horizons reject b = 0 in
    a - b/sqrt(T) (95 %): then it is that.

    *Clearly better.*  A law is clearly better than another if its score leads by log 19 or
    more, and if it also leads in 95 % of resamples.  These draw replicates with replacement,
    at each horizon apart or (paired) together; without samples, normal means with the given
    standard errors.  Weights and variances stay those of the data.

    *Who may win.*  Log: if the interval of its slope over all horizons is above 0.  Power: if
    the interval of its exponent over all horizons is above ``smallest_exponent``, and that of
    its size above 0.  Plateau: always.  (Intervals are widened on misfit, see the head of this
    module.)

    *Who must be beaten.*  Log: unless its growth b log(T_m/T_1) is at most the tolerance, with
    its whole interval.  Power: unless the whole interval of its exponent is at most
    ``smallest_exponent``: such a law is log T by another name, it neither wins nor stops log T
    from winning.  A power law with a wide interval cannot win but must be beaten, as must
    one that could not be fitted.  Plateau: always.

    *Decision.*  The law that may win and is clearly better than all others that must be
    beaten.  Failing this, ``plateau`` if the growth is within the tolerance (its whole
    interval, so that noise alone never makes a plateau; a quantity that falls does not grow)
    and neither of the others, if it may win, is clearly better.  Else ``undecided``.

    *Exact data.*  A score is -h log(root mean square of the h errors), errors below 1e-9 of
    the largest mean being rounding, and clearly better is half the error.  Which law is the
    nearest is then a matter of approximation, not of chance.
    """
    if (samples is None) == (mean is None and se is None):
        raise BanditError("give either samples, or mean and se")
    rng = np.random.default_rng(seed)
    if resamples < 1:
        raise BanditError(f"resamples is {resamples}: it must be at least 1")
    if samples is not None:
        data = measure(horizons, samples, paired)
        draws = _resample(
            [np.asarray(s, dtype=np.float64) for s in samples], paired, resamples, rng
        )
    else:
        if mean is None or se is None:
            raise BanditError("give mean and se together")
        if paired:
            raise BanditError("paired is about samples: means have no replicates to pair")
        data = _measurements(horizons, mean, se)
        errors = _error_model(data)[0] if (data.se > 0).any() else np.zeros_like(data.se)
        draws = data.mean + errors * rng.standard_normal((resamples, data.mean.size))
    if held_out < 1 or data.mean.size - held_out < FEWEST_HORIZONS:
        raise BanditError(
            f"held_out is {held_out} of {data.mean.size} horizons: it must be at least 1 and "
            f"leave at least {FEWEST_HORIZONS}"
        )
    race = _Race(data, held_out, draws)
    log, power = _fit_log(data), _fit_power(data)
    span = math.log(data.horizons[-1] / data.horizons[0])
    slope = log.slope
    growth = Estimate(slope.value * span, slope.low * span, slope.high * span, slope.n)
    level = abs(_fit_plateau(data, None).level.value)
    # Rounding of exact constants is not growth.
    allowed = absolute_tolerance + tolerance * level + EXACT * race.size

    may_win: dict[Law, bool] = {
        "plateau": True,
        "log": slope.low > EXACT * race.size,
        "power": power.converged
        and power.middle.low > 0
        and power.exponent.low > smallest_exponent,
    }
    must_be_beaten: dict[Law, bool] = {
        "plateau": True,
        "log": growth.high > allowed,
        "power": not (power.converged and power.exponent.high <= smallest_exponent),
    }

    def wins(law: Law) -> bool:
        rivals: list[Law] = [other for other in LAWS if other != law and must_be_beaten[other]]
        return may_win[law] and bool(rivals) and all(race.beats(law, rival) for rival in rivals)

    winners: list[Law] = [law for law in LAWS if wins(law)]
    growing: list[Law] = [law for law in LAWS if law != "plateau" and may_win[law]]
    better = any(race.beats(law, "plateau") for law in growing)
    if better and "plateau" in winners:
        # A growth within the tolerance that is there all the same.
        winners.remove("plateau")
    fitted: list[Law] = [law for law in LAWS if law != "power" or race.has_power]
    fitted.sort(key=lambda law: -race.scores[law])
    best, following = fitted[:2]
    margin, share = race.lead(best, following)
    decision: Decision = "undecided"
    if len(winners) == 1:
        decision = winners[0]
        reason = f"{decision} predicts the held-out horizons clearly better than its rivals"
    elif not winners and not must_be_beaten["log"] and not better:
        decision = "plateau"
        reason = f"growth is at most {growth.high:.3g}, within the {allowed:.3g} allowed"
    else:
        reason = (
            f"{best} predicts best, by {margin:.2g} over {following} (share of resamples "
            f"{share:.2f}), which does not decide"
        )
        if not may_win[best]:
            reason += f"; the interval of its parameter does not show {best} to be real"
        if not race.has_power:
            reason += "; the smaller horizons have no power law to beat"
    if best == "power" and not must_be_beaten["power"]:
        reason += (
            f"; a power law with exponent {power.exponent.value:.2g} scores highest, but is not "
            f"told from log T at or below {smallest_exponent:g}"
        )
    return LawChoice(
        decision=decision,
        reason=reason,
        best=best,
        margin=margin,
        share=share,
        scores=race.scores,
        errors=race.errors,
        held_out=race.horizons,
        growth=growth,
        allowed_growth=allowed,
        plateau=_fit_plateau(data, race.rate),
        log=log,
        power=power,
    )


def _resample(
    samples: Sequence[FloatArray], paired: bool, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Means of resampled replicates, shape (B, m)."""
    if paired:
        values = np.stack(samples, axis=1)
        return resampled_means(values, np.arange(len(values)), resamples, rng)
    columns = [
        resampled_means(sample[:, None], np.arange(sample.size), resamples, rng)
        for sample in samples
    ]
    return np.hstack(columns)


@dataclass(frozen=True, eq=False)
class SlopeBetween:
    """Where the slope in log T is, against a range that a theory gives."""

    decision: Side
    """``within``, ``below`` or ``above``: the whole interval is; else ``unclear``."""
    slope: Estimate
    lower: float
    upper: float
    fit: LogFit


def slope_between(
    horizons: ArrayLike,
    samples: Sequence[ArrayLike],
    lower: float,
    upper: float,
    paired: bool = False,
) -> SlopeBetween:
    """Say whether the 95 % interval of the slope b of a + b log T is within [lower, upper].

    The interval is the one that `fit_log` reports: widened where log T does not fit.  Either
    bound may be infinite.
    """
    fit = _fit_log(measure(horizons, samples, paired))
    if math.isnan(lower) or math.isnan(upper):
        raise BanditError(f"the range [{lower:g}, {upper:g}] must hold no NaN")
    return SlopeBetween(fit.slope.against(lower, upper), fit.slope, lower, upper, fit)
