"""Measurements and the power law: exact data, by hand, and how often intervals cover."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from penalized_bandits.common.errors import BanditError, NotMeasuredError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import LARGEST_VALUE, SMALLEST_SPREAD, Estimate
from penalized_bandits.statistics.fits import LONGEST, Measurements, fit_power, measure

T: FloatArray = 500.0 * np.array([1.0, 2, 4, 8, 16, 32, 64, 128])
NOTHING = np.zeros(T.size)
SPECIAL = st.sampled_from(
    [0.0, 1.0, -1.0, 1 + 2**-52, 5e-324, 1e9, 1e9 + 1e-6, LARGEST_VALUE, -LARGEST_VALUE]
)
ERRORS = st.sampled_from([0.0, SMALLEST_SPREAD * 2, 1e-9, 1.0, LARGEST_VALUE])


def fitted(*data: FloatArray) -> Estimate:
    """Return the exponent of a power law that has a fit."""
    found = fit_power(Measurements(*data))
    assert isinstance(found, Estimate)
    return found


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


def test_an_exact_law_is_found_exactly() -> None:
    exponent = fitted(T, 3 * T**0.4, NOTHING)
    assert exponent.value == pytest.approx(0.4)
    assert exponent.high - exponent.low == 0


@pytest.mark.parametrize(("spread", "widened"), [(1.0, False), (0.05, True)])
def test_intervals_are_those_of_scipy(spread: float, widened: bool) -> None:
    """With standard errors as known; widened by chi^2 and Student's t on misfit."""
    rng = np.random.default_rng(1)
    mean, se = 2 * T**0.5 + rng.normal(size=8), np.full(8, spread)
    fit = fitted(T, mean, se)
    ratio = np.log(T) - np.log(T).mean()
    found, covariance = optimize.curve_fit(
        lambda x, u, p: u * np.exp(p * x), ratio, mean, p0=(50, 0.5), sigma=se, absolute_sigma=True
    )
    error = math.sqrt(covariance[1, 1])
    half = stats.norm.ppf(0.975) * error
    if widened:
        residuals = mean - found[0] * np.exp(found[1] * ratio)
        half = stats.t.ppf(0.975, 6) * error * math.sqrt(((residuals / se) ** 2).sum() / 6)
    assert fit.value == pytest.approx(found[1], abs=1e-7)
    ends = (found[1] - half, found[1] + half)
    assert (fit.low, fit.high) == pytest.approx(ends, abs=1e-6)


@pytest.mark.parametrize("exponent", [-2.0, 0.05, 0.5, 1.0, 4.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_power_law_of_any_exponent_is_found(exponent: float, sign: int) -> None:
    mean = sign * 1e-4 * T**exponent
    assert fitted(T, mean, 0.01 * np.abs(mean)).value == pytest.approx(exponent, abs=1e-5)


def test_power_law_where_there_is_none() -> None:
    zero = fit_power(Measurements(T, NOTHING, np.ones(8)))
    assert zero == "all means are 0, which any exponent fits"
    assert isinstance(fit_power(Measurements(T, np.array([0.0] * 7 + [9]), np.ones(8))), str)


@settings(max_examples=50)
@given(
    st.lists(SPECIAL, min_size=5, max_size=5),
    st.lists(ERRORS, min_size=5, max_size=5),
    st.sampled_from([[10, 100, 1e3, 1e4, 1e5], [1, 1 + 1e-15, 2, 3, 1e18], [1, 2, 3, 4, 5]]),
)
def test_fits_of_any_values(mean: list[float], se: list[float], horizons: list[float]) -> None:
    """The exponent is a number, or there is a reason, without a warning."""
    power = fit_power(Measurements(*map(np.array, (horizons, mean, se))))
    assert power if isinstance(power, str) else math.isfinite(power.value)
    assert isinstance(power, str) or power.low <= power.high


TWO = [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("horizons", "samples", "error", "message"),
    [
        ([1, 3, 2], TWO * 3, BanditError, "must be positive and incr"),
        ([0.5, 1, 2], TWO * 3, BanditError, "from at least 1"),
        ([1, 2, 2 * LONGEST], TWO * 3, BanditError, "at most 1e.18"),
        ([1, 2, 3], [*TWO, [], *TWO], BanditError, "sample 2 is empty"),
        ([1, 2, 3], [*TWO, [math.nan, 1.0], *TWO], BanditError, "a value of sample 2 is not fin"),
        ([1, 2, 3], TWO * 2, BanditError, "3 horizons but 2 samples"),
        # A claim that rests on too little is not measured: no error of the data.
        ([1, 2], TWO * 2, NotMeasuredError, "3 horizons, not 2"),
        ([1, 2, 3], [[1.0]] * 3, NotMeasuredError, "two replicates, not one"),
    ],
)
def test_refusals(
    horizons: list[float], samples: list[list[float]], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        measure(horizons, samples)
