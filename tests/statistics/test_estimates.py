"""Paired differences, proportions, Holm, measurements, the power law: by hand and by scipy."""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from config_helpers import ROOT
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import (
    LARGEST_VALUE,
    SMALLEST_SPREAD,
    Estimate,
    holm,
    mean_estimate,
    paired_difference,
    ratio_of_independent_means,
    ratio_of_means,
    resampled_means,
    wilson,
)
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.statistics.fits import fit_power

SOURCES = ROOT / "src"
TINY = math.ulp(0.0)
SPECIAL = st.sampled_from(
    [0.0, 1.0, -1.0, 1 + 2**-52, TINY, -TINY, 1e9, 1e9 + 1e-6, LARGEST_VALUE, -LARGEST_VALUE]
)


# Paired differences.


def test_paired_difference_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(1.0, 2.0, 30), rng.normal(0.8, 2.0, 30)
    found = paired_difference(x, y, level=0.9)
    test = stats.ttest_rel(x, y)
    low, high = test.confidence_interval(0.9)
    assert found.difference.value == pytest.approx((x - y).mean())
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))
    assert found.p_greater == pytest.approx(stats.ttest_rel(x, y, alternative="greater").pvalue)
    assert found.p_less == pytest.approx(stats.ttest_rel(x, y, alternative="less").pvalue)
    assert found.difference.n == 30
    assert mean_estimate(x - y, level=0.9) == found.difference


@pytest.mark.parametrize(
    ("shift", "p_greater", "p_less"), [(0.1, 0.0, 1.0), (-0.1, 1.0, 0.0), (0.0, 1.0, 1.0)]
)
def test_agreeing_replicates_are_exact(shift: float, p_greater: float, p_less: float) -> None:
    y = np.linspace(0, 1, 10)
    found = paired_difference(y + shift, y)
    assert found.difference.low == found.difference.high == found.difference.value
    assert found.difference.value == pytest.approx(shift, abs=1e-15)
    assert (found.p_greater, found.p_less) == (p_greater, p_less)


def test_one_replicate_says_nothing() -> None:
    found = paired_difference([3.0], [1.0])
    assert found.difference.value == 2
    assert (found.difference.low, found.difference.high) == (-math.inf, math.inf)
    assert (found.p_greater, found.p_less) == (1.0, 1.0)


@settings(max_examples=100)
@given(st.lists(st.tuples(SPECIAL, SPECIAL), min_size=1, max_size=6))
def test_estimates_of_any_values(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).T
    for left, right in ((x, y), (x, np.zeros_like(x)), (x, x)):
        found = paired_difference(left, right)
        estimate = found.difference
        assert math.isfinite(estimate.value)
        assert estimate.low <= estimate.value <= estimate.high
        assert 0 <= found.p_greater <= 1
        assert 0 <= found.p_less <= 1
        if (left == right).all():
            assert found.p_greater == found.p_less == 1
        if len(set(left)) == len(set(right)) == 1 < left.size:
            assert estimate.low == estimate.high


# Ratios of means.


def test_the_ratio_of_a_few_replicates_by_hand() -> None:
    # Residuals 1 - 2 and 7 - 6: their deviation is the root of 2, the standard error 1 over 2.
    ratio = ratio_of_means(np.array([1.0, 7.0]), np.array([1.0, 3.0]))
    half = stats.t.ppf(0.975, 1) / 2
    assert ratio.interval == pytest.approx((2.0, 2 - half, 2 + half))
    assert ratio_of_means(np.array([3.0]), np.array([1.5])).interval == (2.0, -np.inf, np.inf)


def test_the_ratio_of_independent_means_by_hand() -> None:
    # Variances of the means over their squares: (2 / 2) / 16 and (8 / 2) / 16.
    ratio = ratio_of_independent_means(np.array([3.0, 5.0]), np.array([2.0, 6.0]))
    half = stats.norm.ppf(0.975) * math.sqrt(5 / 16)
    assert ratio.interval == pytest.approx((1.0, 1 - half, 1 + half))


# Resamples.


def test_resampled_means_are_rounded_once() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(300, 6)) * np.array([1.0, 1e-9, 1e6, 1e15, 0.0, 1.0])
    values[::7, 5] *= 1e-12
    drawn = np.random.default_rng(0).integers(0, 300, (999, 300))
    sums = [[math.fsum(column[row]) for column in values.T] for row in drawn]
    assert (resampled_means(values) == np.array(sums) / 300).all()


def test_no_number_hangs_on_the_order_in_which_a_library_adds() -> None:
    # BLAS and LAPACK: only the exact sums above, and the means of a law, whose bytes stay.
    exempt = {"estimates.py", "rewards.py"}
    calls = r"[\w)\]] @ |np\.(linalg|poly|corr|cov|conv|dot|vdot|inner|einsum|matmul|tensordot)"
    users = {
        path.name
        for path in SOURCES.rglob("*.py")
        if re.search(calls, path.read_text(encoding="utf-8"))
    }
    assert users == exempt


# Proportions and families.


@settings(max_examples=50)
@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@example((0, 10))
@example((10**12, 10**12))
def test_wilson_is_scipys(trials: tuple[int, int]) -> None:
    found = wilson(*trials)
    theirs = stats.binomtest(*trials).proportion_ci(0.95, method="wilson")
    assert (found.value, found.n) == (trials[0] / trials[1], trials[1])
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12, abs=1e-15)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_holm_by_hand() -> None:
    # Holm (1979): 4, 3, 2, 1 times the ordered p-values 0.005, 0.01, 0.03, 0.04 are 0.02,
    # 0.03, 0.06, 0.04; the last may not be below the one before.
    adjusted = holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted.tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]).size == 0
    assert holm([0.4, 0.9]).tolist() == pytest.approx([0.8, 0.9])
    assert holm([0.7, 0.9]).tolist() == pytest.approx([1.0, 1.0])
    assert holm([0.0, TINY, 1.0, 0.0]).tolist() == [0, 2 * TINY, 1, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_difference([], []), "x is empty"),
        (lambda: paired_difference([1, 2], [1]), "x has 2 values, y has 1"),
        (lambda: paired_difference([1, math.nan], [1, 2]), "a value of x is not finite"),
        (lambda: paired_difference([[1]], [1]), "x has shape"),
        (lambda: mean_estimate([]), "values is empty"),
        (lambda: mean_estimate([LARGEST_VALUE * 2]), "a value of values is 2e.50: at most 1e.50"),
    ],
)
def test_refusals(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()


# --- Measurements and the power law ------------------------------------------------

T: FloatArray = 500.0 * np.array([1.0, 2, 4, 8, 16, 32, 64, 128])
NOTHING = np.zeros(T.size)
ERRORS = st.sampled_from([0.0, SMALLEST_SPREAD * 2, 1e-9, 1.0, LARGEST_VALUE])


def samples(mean: FloatArray, se: FloatArray) -> list[FloatArray]:
    """Return two replicates for each horizon with these means and standard errors."""
    return list(np.stack([mean - se, mean + se], axis=1))


def fitted(horizons: FloatArray, mean: FloatArray, se: FloatArray) -> Estimate:
    """Return the exponent of a power law that has a fit."""
    found = fit_power(horizons, samples(mean, se))
    assert isinstance(found, Estimate)
    return found


def test_an_error_of_0_weighs_as_the_smallest_other() -> None:
    mean, se = 2 * T**0.5, np.linspace(0.5, 4, 8)
    mean[3] += 3
    # Equal values whose mean rounds have no spread.
    found = samples(mean, se)
    found[0], found[1] = np.full(3, 0.1), np.full(2, mean[1])
    as_smallest = samples(np.r_[0.1, mean[1:]], np.r_[se[2], se[2], se[2:]])
    assert fit_power(T, found) == fit_power(T, as_smallest)


def test_an_exact_law_is_found_exactly() -> None:
    exponent = fitted(T, 3 * T**0.4, NOTHING)
    assert exponent.value == pytest.approx(0.4)
    assert exponent.high - exponent.low == pytest.approx(0)


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
    zero = fit_power(T, samples(NOTHING, np.ones(8)))
    assert zero == "all means are 0, which any exponent fits"
    jump = samples(np.array([0.0] * 7 + [9]), np.ones(8))
    assert isinstance(fit_power(T, jump), str)


@settings(max_examples=50)
@given(
    st.lists(SPECIAL, min_size=5, max_size=5),
    st.lists(ERRORS, min_size=5, max_size=5),
    st.sampled_from([[10, 100, 1e3, 1e4, 1e5], [1, 1 + 1e-15, 2, 3, 1e18], [1, 2, 3, 4, 5]]),
)
def test_fits_of_any_values(mean: list[float], se: list[float], horizons: list[float]) -> None:
    """The exponent is a number, or there is a reason, without a warning."""
    power = fit_power(horizons, samples(np.array(mean), np.array(se)))
    assert power if isinstance(power, str) else math.isfinite(power.value)
    assert isinstance(power, str) or power.low <= power.high


def test_one_replicate_has_no_standard_error() -> None:
    """A claim that rests on too little is not measured: no error of the data."""
    with pytest.raises(NotMeasuredError, match="two replicates, not one"):
        fit_power([1, 2, 3], [np.ones(1)] * 3)
