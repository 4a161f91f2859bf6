"""Paired differences, proportions, Holm: by hand, by scipy, and by how often they are right."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from penalized_bandits.errors import BanditError
from penalized_bandits.theory.statistics import (
    Estimate,
    bootstrap_mean,
    cluster_scores,
    cluster_totals,
    holm,
    mean_estimate,
    paired_difference,
    resampled_means,
    wilson,
)

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
P_VALUES = st.lists(st.floats(0, 1, allow_nan=False), max_size=12)


def binomial_bound(p: float, n: int, errors: float = 4) -> float:
    """Deviation of a share that chance exceeds with probability 6e-5."""
    return errors * math.sqrt(p * (1 - p) / n)


# --- Estimates ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lower", "upper", "side"),
    [
        (0.0, 4.0, "within"),
        (1.0, 3.0, "within"),
        (1.5, 4.0, "unclear"),
        (1.5, 2.5, "unclear"),
        (3.1, 9.0, "below"),
        (-9.0, 0.9, "above"),
        (-math.inf, 3.0, "within"),
        (-math.inf, math.inf, "within"),
    ],
)
def test_estimate_against_a_range(lower: float, upper: float, side: str) -> None:
    assert Estimate(2.0, 1.0, 3.0, 5).against(lower, upper) == side


def test_estimate_against_an_empty_range() -> None:
    with pytest.raises(BanditError, match=r"\[2, 1\] is empty"):
        Estimate(2.0, 1.0, 3.0, 5).against(2.0, 1.0)


# --- Paired differences ---------------------------------------------------------------------


def test_paired_difference_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(1.0, 2.0, 30), rng.normal(0.8, 2.0, 30)
    found = paired_difference(x, y)
    test = stats.ttest_rel(x, y)
    low, high = test.confidence_interval(0.95)
    assert found.difference.value == pytest.approx((x - y).mean())
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))
    assert found.p_greater == pytest.approx(stats.ttest_rel(x, y, alternative="greater").pvalue)
    assert found.p_less == pytest.approx(stats.ttest_rel(x, y, alternative="less").pvalue)
    assert (found.n_replicates, found.n_clusters, found.difference.n) == (30, 30, 30)


def test_paired_difference_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, standard deviation 1, t = 2 sqrt(3) with 2 degrees of
    # freedom, whose distribution function is 1/2 + t / (2 sqrt(2 + t^2)).
    found = paired_difference([2, 4, 6], [1, 2, 3])
    t = 2 * math.sqrt(3)
    assert found.difference.value == 2
    assert found.p_less == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)))
    assert found.p_greater + found.p_less == pytest.approx(1)


def test_equal_clusters_count_as_their_means() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(12, 5)) + rng.normal(size=(12, 1))
    labels = np.repeat([f"draw {i}" for i in range(12)], 5)
    found = paired_difference(x.ravel(), np.zeros(60), labels)
    low, high = stats.ttest_1samp(x.mean(axis=1), 0).confidence_interval(0.95)
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))
    assert (found.n_replicates, found.n_clusters) == (60, 12)


def test_unequal_clusters_by_hand() -> None:
    # Replicates 1, 3 | 8: mean 4, residual sums (-3 - 1, 4), and with G/(G - 1) = 2 the
    # variance of the mean is 2 (16 + 16) / 9.
    scores = cluster_scores(np.array([1.0, 3.0, 8.0]), np.array([0, 0, 1]))
    assert scores.mean() == pytest.approx(4)
    assert scores.var(ddof=1) / 2 == pytest.approx(2 * 32 / 9)
    found = mean_estimate([1, 3, 8], [7, 7, 9])
    half = stats.t.ppf(0.975, 1) * 8 / 3
    assert (found.value, found.low, found.high) == pytest.approx((4, 4 - half, 4 + half))


def test_order_of_clusters_and_labels_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    x, labels = rng.normal(size=40), rng.integers(0, 8, 40)
    order = rng.permutation(40)
    one = mean_estimate(x, labels)
    other = mean_estimate(x[order], [f"label {label}" for label in labels[order]])
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_agreeing_replicates_are_exact(method) -> None:
    for shift, p_greater, p_less in ((0.1, 0.0, 1.0), (-0.1, 1.0, 0.0), (0.0, 1.0, 1.0)):
        y = np.linspace(0, 1, 10)
        found = paired_difference(y + shift, y, method=method)
        assert found.difference.low == found.difference.high == found.difference.value
        assert found.difference.value == pytest.approx(shift, abs=1e-15)
        assert (found.p_greater, found.p_less) == (p_greater, p_less)


def test_one_cluster_says_nothing() -> None:
    found = paired_difference([1, 2, 3], [0, 0, 0], clusters=[4, 4, 4])
    assert (found.difference.low, found.difference.high) == (-math.inf, math.inf)
    assert (found.p_greater, found.p_less, found.n_clusters) == (1.0, 1.0, 1)
    alone = bootstrap_mean([5.0])
    assert (alone.value, alone.low, alone.high, alone.n) == (5.0, -math.inf, math.inf, 1)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=15), st.integers(-3, 6))
def test_swapping_and_scaling(pairs: list[tuple[float, float]], power: int) -> None:
    x, y = np.array(pairs).T
    found, swapped = paired_difference(x, y), paired_difference(y, x)
    assert swapped.difference.low == pytest.approx(-found.difference.high)
    assert swapped.p_less == pytest.approx(found.p_greater)
    assert 0 <= found.p_greater <= 1
    assert found.difference.low <= found.difference.value <= found.difference.high
    # Powers of 2 scale without rounding.
    scaled = paired_difference(x * 2.0**power, y * 2.0**power)
    assert scaled.p_greater == pytest.approx(found.p_greater)
    assert scaled.difference.high == pytest.approx(found.difference.high * 2.0**power)


def test_interval_over_clusters_covers() -> None:
    # 600 tables of 20 clusters of 1 to 6 replicates that share a draw: within 4 binomial
    # standard errors of 95 %, and an interval that ignores clusters is far below.
    rng = np.random.default_rng(5)
    covered, naive = 0, 0
    for _ in range(600):
        labels = np.repeat(np.arange(20), rng.integers(1, 7, 20))
        values = rng.normal(size=20)[labels] + 0.5 * rng.normal(size=labels.size)
        one, two = mean_estimate(values, labels), mean_estimate(values)
        covered += one.low <= 0 <= one.high
        naive += two.low <= 0 <= two.high
    # Unequal sizes make it a little short, by 1 or 2 points.
    assert abs(covered / 600 - 0.95) < binomial_bound(0.95, 600) + 0.02
    assert naive / 600 < 0.8


def test_p_values_are_uniform_where_there_is_no_difference() -> None:
    rng = np.random.default_rng(6)
    p = [paired_difference(*rng.normal(size=(2, 12))).p_greater for _ in range(500)]
    assert stats.kstest(p, "uniform").pvalue > 1e-3


# --- Bootstrap ------------------------------------------------------------------------------


def test_bootstrap_agrees_with_t_for_many_clusters() -> None:
    values = np.random.default_rng(7).exponential(size=400)
    one, two = bootstrap_mean(values, seed=1), mean_estimate(values)
    assert one.value == two.value
    half = (two.high - two.low) / 2
    assert one.low == pytest.approx(two.low, abs=0.1 * half)
    assert one.high == pytest.approx(two.high, abs=0.1 * half)
    assert one.n == 400


def test_bootstrap_is_a_function_of_its_seed() -> None:
    values = np.random.default_rng(8).normal(size=30)
    assert bootstrap_mean(values, seed=3) == bootstrap_mean(values, seed=3)
    assert bootstrap_mean(values, seed=3) != bootstrap_mean(values, seed=4)


def test_bootstrap_resamples_whole_clusters() -> None:
    # Two clusters of 10 equal values: means of resamples are 0, 1/2 and 1 only.
    values, labels = np.repeat([0.0, 1.0], 10), np.repeat([0, 1], 10)
    found = bootstrap_mean(values, labels)
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)


def test_bootstrap_interval_and_p_values_agree() -> None:
    rng = np.random.default_rng(9)
    for shift in (-0.6, -0.3, 0.0, 0.3, 0.6):
        x = rng.exponential(size=30) - 1 + shift
        found = paired_difference(x, np.zeros(30), method="bootstrap", seed=2, resamples=999)
        assert (found.p_greater < 0.024) <= (found.difference.low >= 0)
        assert (found.difference.low > 0) <= (found.p_greater < 0.03)
        assert found.p_greater >= 1 / 1000


def test_resampled_means_of_all_columns_share_their_clusters() -> None:
    values = np.random.default_rng(10).normal(size=(20, 1)) @ [[1.0, 2.0]]
    numbers = np.arange(20) // 2
    means = resampled_means(values, numbers, 50, np.random.default_rng(0))
    assert means.shape == (50, 2)
    assert means[:, 1] == pytest.approx(2 * means[:, 0])
    sums, sizes = cluster_totals(values, numbers)
    assert sums.sum(axis=0) == pytest.approx(values.sum(axis=0))
    assert sizes.tolist() == [2] * 10


# --- Proportions and families ---------------------------------------------------------------


def test_wilson_by_hand() -> None:
    # Wilson's ends solve (p - x)^2 = z^2 x (1 - x) / n.
    found = wilson(8, 10)
    z = stats.norm.ppf(0.975)
    for end in (found.low, found.high):
        assert (0.8 - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / 10)
    assert found.value == 0.8
    assert found.n == 10


def test_wilson_at_the_ends() -> None:
    z2 = stats.norm.ppf(0.975) ** 2
    none, all_of_them = wilson(0, 50), wilson(50, 50)
    assert (none.low, none.high) == pytest.approx((0, z2 / (50 + z2)), abs=1e-12)
    assert (all_of_them.low, all_of_them.high) == pytest.approx((50 / (50 + z2), 1))


@given(
    trials=st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    level=st.floats(0.5, 0.999),
)
def test_wilson_is_scipys(trials: tuple[int, int], level: float) -> None:
    successes, n = trials
    found = wilson(successes, n, level)
    theirs = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12, abs=1e-15)


def test_holm_by_hand() -> None:
    # Holm (1979): 4, 3, 2, 1 times the ordered p-values 0.005, 0.01, 0.03, 0.04 are 0.02,
    # 0.03, 0.06, 0.04; the last may not be below the one before.
    adjusted = holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted.tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]).size == 0
    assert holm([0.4, 0.9]).tolist() == pytest.approx([0.8, 0.9])
    assert holm([0.7, 0.9]).tolist() == pytest.approx([1.0, 1.0])


@given(P_VALUES, st.randoms(use_true_random=False))
def test_holm_between_none_and_bonferroni(p_values: list[float], random) -> None:
    p = np.array(p_values)
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(p * p.size, 1) + 1e-15).all()
    order = list(range(p.size))
    random.shuffle(order)
    assert holm(p[order]).tolist() == adjusted[order].tolist()
    # Rejections are those of the step-down procedure.
    rejected, ordered = 0, np.sort(p)
    while rejected < p.size and ordered[rejected] * (p.size - rejected) <= 0.05:
        rejected += 1
    assert (adjusted <= 0.05).sum() == rejected


def test_holm_keeps_the_family_error() -> None:
    rng = np.random.default_rng(11)
    false = np.mean([(holm(rng.uniform(size=8)) <= 0.05).any() for _ in range(2000)])
    assert false < 0.05 + binomial_bound(0.05, 2000)


# --- What may not be asked ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_difference([], []), "x is empty"),
        (lambda: paired_difference([1, 2], [1]), "x has 2 values, y has 1"),
        (lambda: paired_difference([1, math.nan], [1, 2]), "x holds 1 values that are not finite"),
        (lambda: paired_difference([[1]], [1]), "x has shape"),
        (lambda: paired_difference([1, 2], [1, 2], [0]), "clusters has shape"),
        (lambda: paired_difference([1, 2], [1, 2], [0, math.nan]), "clusters holds NaN"),
        (lambda: paired_difference([1, 2], [1, 2], level=1.0), "level is 1"),
        (lambda: mean_estimate([]), "values is empty"),
        (lambda: bootstrap_mean([1, math.inf]), "not finite"),
        (lambda: bootstrap_mean([1, 2], resamples=0), "resamples is 0"),
        (lambda: wilson(1, 0), "at least one trial"),
        (lambda: wilson(3, 2), "3 successes of 2"),
        (lambda: holm([0.5, 1.5]), "not between 0 and 1"),
        (lambda: holm([math.nan]), "not between 0 and 1"),
    ],
)
def test_refusals(call, message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
