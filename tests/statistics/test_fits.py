"""Measurements and fits of one law: exact data, by hand, and how often intervals cover."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from law_factories import T, binomial_bound, replicates
from penalized_bandits.common.errors import BanditError, NotMeasuredError
from penalized_bandits.statistics.estimates import LARGEST_VALUE, SMALLEST_SPREAD
from penalized_bandits.statistics.fits import fit_log, fit_plateau, fit_power
from penalized_bandits.statistics.measurements import LONGEST, Measurements, measure

NOTHING = np.zeros(T.size)
SPECIAL = st.sampled_from(
    [0.0, 1.0, -1.0, 1 + 2**-52, 5e-324, 1e9, 1e9 + 1e-6, LARGEST_VALUE, -LARGEST_VALUE]
)
ERRORS = st.sampled_from([0.0, 5e-324, SMALLEST_SPREAD, 1e-9, 1.0, LARGEST_VALUE])


def test_measure_by_hand() -> None:
    data = measure([1, 2, 3], [[1, 3], [2, 2, 2], [0, 4]])
    assert data.mean.tolist() == [2, 2, 2]
    assert data.se.tolist() == pytest.approx([1, 0, 2])
    # An error of 0 weighs as the smallest other.
    assert data.errors.tolist() == pytest.approx([1, 1, 2])
    # Equal values whose mean rounds have no spread.
    exact = measure([1, 2, 3], [[0.1] * 3, [0.2] * 3, [0.3] * 3])
    assert exact.se.tolist() == [0, 0, 0]
    assert exact.exact
    assert exact.errors.tolist() == [1, 1, 1]


def test_resamples_are_of_replicates_or_of_normal_means() -> None:
    rng = np.random.default_rng(1)
    samples = [rng.exponential(size=n) + n for n in (50, 100, 200)]
    data = measure([1, 2, 3], samples)
    for one in (data, Measurements(data.horizons, data.mean, data.se)):
        draws = one.resampled(4000, np.random.default_rng(2))
        assert draws.shape == (4000, 3)
        assert draws.mean(axis=0) == pytest.approx(data.mean, abs=0.1 * data.se.max())
        assert draws.std(axis=0) == pytest.approx(data.se, rel=0.1)


def test_exact_laws_are_found_exactly() -> None:
    log = fit_log(Measurements(T, 3 - 2 * np.log(T), NOTHING))
    assert (log.intercept.value, log.slope.value) == pytest.approx((3, -2))
    assert log.slope.high - log.slope.low == 0
    assert (log.quality.chi_squared, log.quality.p_misfit) == (0, 1)
    power = fit_power(Measurements(T, 3 * T**0.4, NOTHING))
    assert power.converged
    assert power.exponent.value == pytest.approx(0.4)
    assert power.middle.value == pytest.approx(3 * power.reference**0.4)
    assert power.exponent.high - power.exponent.low == 0
    flat = fit_plateau(Measurements(T, np.full(8, 7.0), NOTHING))
    assert (flat.level.value, flat.level.low, flat.level.high) == pytest.approx((7, 7, 7))
    assert flat.approach is None
    rising = fit_plateau(Measurements(T, 7 - 30 / T, NOTHING), rate=1.0)
    assert rising.approach is not None
    assert (rising.level.value, rising.approach.value) == pytest.approx((7, 30))


@pytest.mark.parametrize("error", [1.0, 0.1])
def test_fit_log_by_hand(error: float) -> None:
    # log T = 0, 1, 2 with means 0, 0, 3: slope 3/2, its variance se^2/2; residuals 1/2, -1,
    # 1/2, so that chi^2 is 1.5/se^2 with 1 degree of freedom: a misfit for the smaller error.
    fit = fit_log(Measurements([1, math.e, math.e**2], [0, 0, 3], [error] * 3))
    assert (fit.intercept.value, fit.slope.value) == pytest.approx((-0.5, 1.5))
    assert fit.quality.chi_squared == pytest.approx(1.5 / error**2)
    assert fit.quality.degrees == 1
    half = stats.norm.ppf(0.975) * math.sqrt(0.5)
    source = "standard errors"
    if error < 1:
        # Widened: Student's t, and the variance in proportion to chi^2.
        half = stats.t.ppf(0.975, 1) * math.sqrt(0.5 * 0.01 * 150)
        source = "residuals"
    assert (fit.slope.low, fit.slope.high) == pytest.approx((1.5 - half, 1.5 + half))
    assert fit.quality.interval_from == source


def test_weights_are_those_of_least_squares() -> None:
    rng = np.random.default_rng(1)
    data = Measurements(T, rng.normal(size=8) + np.log(T), rng.uniform(0.5, 2, 8))
    fit = fit_log(data)
    slope, intercept = np.polyfit(np.log(T), data.mean, 1, w=1 / data.se)
    assert (fit.slope.value, fit.intercept.value) == pytest.approx((slope, intercept))
    level = np.average(data.mean, weights=data.se**-2)
    assert fit_plateau(data).level.value == pytest.approx(level)


@settings(max_examples=30)
@given(
    st.floats(-5, 5),
    st.floats(0.01, 5),
    st.integers(-8, 8),
    st.floats(-100, 100),
    st.integers(0, 99),
)
def test_units_do_not_matter(a: float, b: float, power: int, shift: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mean, se = a + b * np.log(T) + rng.normal(size=8), rng.uniform(0.5, 1.5, 8)
    factor = 2.0**power
    one = fit_log(Measurements(T, mean, se))
    two = fit_log(Measurements(T, factor * mean + shift, factor * se))
    assert two.slope.value == pytest.approx(factor * one.slope.value, abs=1e-7)
    assert two.slope.high == pytest.approx(factor * one.slope.high, abs=1e-7)
    assert two.quality.chi_squared == pytest.approx(one.quality.chi_squared, rel=1e-5)
    # Another unit of time changes the intercept alone, and a power law's scale alone.
    slow = fit_log(Measurements(T / 60, mean, se))
    assert slow.slope.value == pytest.approx(one.slope.value)
    curve = np.exp(0.2 * b * np.log(T / T[0])) * (20 + rng.normal(size=8))
    p = fit_power(Measurements(T, curve, se))
    q = fit_power(Measurements(T / 60, factor * curve, factor * se))
    assert p.converged
    assert q.exponent.value == pytest.approx(p.exponent.value, abs=1e-5)
    assert q.exponent.low == pytest.approx(p.exponent.low, abs=1e-4)


@pytest.mark.parametrize("exponent", [-2.0, 0.05, 0.5, 1.0, 4.0])
def test_power_law_of_any_exponent_is_found(exponent: float) -> None:
    for sign in (1, -1):
        mean = sign * 1e-4 * T**exponent
        fit = fit_power(Measurements(T, mean, 0.01 * np.abs(mean)))
        assert fit.converged
        assert fit.exponent.value == pytest.approx(exponent, abs=1e-5)
        assert fit.quality.interval_from == "standard errors"


def test_power_law_where_there_is_none() -> None:
    zero = fit_power(Measurements(T, NOTHING, np.ones(8)))
    assert not zero.converged
    assert "all means are 0" in zero.message
    assert (zero.exponent.low, zero.exponent.high) == (-math.inf, math.inf)
    jump = fit_power(Measurements(T, [0, 0, 0, 0, 0, 0, 0, 9], np.ones(8)))
    assert not jump.converged
    assert jump.message


def test_intervals_cover_and_chi_squared_is_uniform() -> None:
    # 300 tables that follow the law: 95 % within 4 binomial standard errors.  Widening on
    # misfit can only add, by at most the 5 % of tables that it happens in.
    n = 300
    covered: Counter[str] = Counter()
    p_values = []
    for seed in range(n):
        log = fit_log(measure(T, replicates(lambda t: 5 + 3 * np.log(t), seed, 100)))
        power = fit_power(measure(T, replicates(lambda t: 2 * t**0.5, seed, 100)))
        covered["slope"] += log.slope.low <= 3 <= log.slope.high
        covered["exponent"] += power.exponent.low <= 0.5 <= power.exponent.high
        p_values.append(log.quality.p_misfit)
    bound = binomial_bound(0.95, n)
    for part in ("slope", "exponent"):
        assert -bound < covered[part] / n - 0.95 < bound + 0.05
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3


@settings(max_examples=50)
@given(
    st.lists(SPECIAL, min_size=5, max_size=5),
    st.lists(ERRORS, min_size=5, max_size=5),
    st.sampled_from([[10, 100, 1e3, 1e4, 1e5], [1, 1 + 1e-15, 2, 3, 1e18], [1, 2, 3, 4, 5]]),
)
def test_fits_of_any_values(mean: list[float], se: list[float], horizons: list[float]) -> None:
    """What comes out is a number or said to be none, without a warning."""
    data = Measurements(horizons, mean, se)
    log, plateau, power = fit_log(data), fit_plateau(data, 0.5), fit_power(data)
    for estimate in (log.slope, log.intercept, plateau.level, plateau.approach):
        assert estimate is not None
        assert math.isfinite(estimate.value)
        assert estimate.low <= estimate.high
    assert power.converged == (power.message == "") == math.isfinite(power.exponent.value)
    assert power.exponent.low <= power.exponent.high


TWO = [[1.0, 2.0]]
ONE_TWO_THREE = (1, 2, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Measurements([1, 2], [1, 2], [1, 1]), "3 horizons, not 2"),
        (lambda: Measurements([1, 2, 3], [1, 2], [1, 1, 1]), "3 horizons, 2 means, 3 standard"),
        (lambda: Measurements([1, 3, 2], ONE_TWO_THREE, [1, 1, 1]), "must be positive and incr"),
        (lambda: Measurements([0.5, 1, 2], ONE_TWO_THREE, [1, 1, 1]), "from at least 1"),
        (lambda: Measurements([1, 2, 2 * LONGEST], [1, 2, 3], [1, 1, 1]), "at most 1e.18"),
        (lambda: Measurements([1, 2, 3], [1, math.nan, 3], [1, 1, 1]), "mean holds 1 values"),
        (lambda: Measurements([1, 2, 3], [1, 2, 3], [1, -1, 1]), "must not be negative"),
        (lambda: measure([1, 2, 3], [*TWO, [], *TWO]), "sample 2 is empty"),
        (lambda: measure([1, 2, 3], [*TWO, [1], *TWO]), "two replicates, not one"),
        (lambda: measure([1, 2, 3], TWO * 2), "3 horizons but 2 samples"),
    ],
)
def test_refusals(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()


def test_too_little_is_not_measured() -> None:
    """A claim that rests on it is then not measured: no error of the data."""
    for horizons, samples in (([1, 2], TWO * 2), ([1, 2, 3], [[1.0]] * 3)):
        with pytest.raises(NotMeasuredError):
            measure(horizons, samples)
