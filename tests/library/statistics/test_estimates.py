"""Paired differences, proportions, Holm, measurements, the power law: by hand and by scipy."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from penalized_bandits.common.errors import BanditError
from penalized_bandits.statistics.estimates import (
    LARGEST_VALUE,
    holm,
    mean_estimate,
    paired_difference,
    ratio_of_independent_means,
    ratio_of_means,
    resampled_means,
    wilson,
)
from strategies import TINY


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


@pytest.mark.parametrize(
    "x",
    [
        [LARGEST_VALUE, -LARGEST_VALUE],
        [TINY, -TINY, 0.0],
        [1e9, 1e9 + 1e-6],
        [1.0, 1 + 2**-52, LARGEST_VALUE],
    ],
)
def test_estimates_of_edge_values(x: list[float]) -> None:
    for y in (x[::-1], [0.0] * len(x)):
        found = paired_difference(x, y)
        estimate = found.difference
        assert math.isfinite(estimate.value)
        assert estimate.low <= estimate.value <= estimate.high
        assert 0 <= found.p_greater <= 1
        assert 0 <= found.p_less <= 1


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
    ratio = ratio_of_independent_means(np.array([-3.0, -5.0]), np.array([2.0, 6.0]))
    assert ratio.interval == pytest.approx((-1.0, -1 - half, -1 + half))


def test_resampled_means_are_rounded_once() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(300, 6)) * np.array([1.0, 1e-9, 1e6, 1e15, 0.0, 1.0])
    values[::7, 5] *= 1e-12
    drawn = np.random.default_rng(0).integers(0, 300, (999, 300))
    sums = [[math.fsum(column[row]) for column in values.T] for row in drawn]
    assert (resampled_means(values) == np.array(sums) / 300).all()


@pytest.mark.parametrize("trials", [(0, 10), (3, 7), (1, 3000), (10**12, 10**12)])
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
        (lambda: paired_difference([1, 2], [1]), "x has 2 values, y has 1"),
        (lambda: paired_difference([1, math.nan], [1, 2]), "a value of x is not finite"),
        (lambda: paired_difference([[1]], [1]), "x has shape"),
        (lambda: mean_estimate([]), "values has shape .0,."),
        (lambda: mean_estimate([LARGEST_VALUE * 2]), "a value of values is 2e.50: at most 1e.50"),
    ],
)
def test_refusals(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
