"""Intervals that hold at all times: coverage, widths, inclusions, exact ends."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import rel_entr
from scipy.stats import binom, norm

from penalized_bandits import BanditError
from penalized_bandits.statistics.anytime import (
    beta_interval,
    error_shares,
    normal_interval,
    portfolio_interval,
)
from penalized_bandits.statistics.anytime import intervals as of_log

ALPHA = 0.05 / 3
"""For each of three arms."""


def wealth(counts: Any, values: list[Fraction], q: Fraction) -> Fraction:
    """Return the mixture of (B) at q: a polynomial in w, integrated exactly."""
    terms = [Fraction(1)]
    for count, x in zip(counts, values, strict=True):
        down, up = (1 - x) / (1 - q), x / q
        for _ in range(count):
            longer = [*terms, Fraction(0)]
            terms = [down * a + (up - down) * b for a, b in zip(longer, [0, *terms], strict=True)]
    return sum((a / (i + 1) for i, a in enumerate(terms)), Fraction(0))


def test_all_arms_are_covered_at_all_times_under_thompson_sampling() -> None:
    """Of 1,000 runs 5 % may miss, and three standard errors more; one-time intervals miss more."""
    runs, rounds, means = 1000, 120, np.array([0.5, 0.45, 0.4])
    n, s = (x.astype(float) for x in np.indices((rounds + 1, rounds + 1)))
    half = norm.ppf(1 - ALPHA / 2) * np.sqrt(0.25 / np.maximum(n, 1))
    kinds = {
        "beta": beta_interval(n, np.minimum(n, s), ALPHA),
        "normal": normal_interval(n, s, ALPHA, sigma=0.5, best_at=100),
        "one time": np.stack([s / np.maximum(n, 1) - half, s / np.maximum(n, 1) + half], axis=-1),
    }
    rng, every = np.random.default_rng(7), np.arange(runs)
    pulls, sums = np.zeros((2, runs, 3), int)
    missed = {kind: np.zeros(runs, bool) for kind in kinds}
    for _ in range(rounds):
        arm = rng.beta(1 + sums, 1 + pulls - sums).argmax(axis=1)
        pulls[every, arm] += 1
        sums[every, arm] += rng.random(runs) < means[arm]
        for kind, ends in kinds.items():
            low, high = ends[pulls[every, arm], sums[every, arm]].T
            missed[kind] |= (means[arm] < low) | (means[arm] > high)
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    shares = {kind: miss.mean() for kind, miss in missed.items()}
    assert 0 < shares["beta"] < most
    assert 0 < shares["normal"] < most
    assert shares["one time"] > 2 * most


def test_widths_as_published() -> None:
    n, stars = np.array([1, 10, 100]), np.array([6, 11, 26, 35, 22])
    options: Any = {"sigma": 0.5, "best_at": 1000}
    for intervals, widths in (
        (beta_interval(100 * n, 50 * n, ALPHA), [0.341, 0.121, 0.041]),
        (beta_interval(100 * n, 5 * n, ALPHA), [0.168, 0.056, 0.0188]),
        (normal_interval(100 * n, 50 * n, ALPHA, **options), [0.416, 0.108, 0.036]),
        (beta_interval(100 * n, 71.2 * n, ALPHA), [0.312, 0.110, 0.038]),
        (portfolio_interval(np.outer(n, stars), np.arange(1, 6) / 5, ALPHA), [0.155, 0.052, 0.018]),
    ):
        assert np.ptp(intervals, axis=1) == pytest.approx(widths, abs=6e-4)


def test_the_normal_mixture_is_shortest_where_declared() -> None:
    some: Any = [normal_interval(1000, 0, ALPHA, sigma=1, best_at=n)[1] for n in (990, 1000, 1010)]
    assert some[1] == min(some) == pytest.approx(3.41 / math.sqrt(1000), rel=1e-3)


@pytest.mark.parametrize("n", [1, 2, 10, 10**6, 10**9])
def test_ends_of_the_beta_mixture(n: int) -> None:
    """Without successes q is in the interval if (1 - q)^N > alpha / (N + 1)."""
    last = -math.expm1(math.log(ALPHA / (n + 1)) / n)
    ends = np.array([[0, last], [1 - last, 1]])
    assert beta_interval([n, n], [0, n], ALPHA) == pytest.approx(ends, abs=1e-15, rel=1e-7)
    for s in {n // 3, n // 2} - {0}:
        chances = (n + 1) * binom.pmf(s, n, beta_interval(n, s, ALPHA))
        assert chances == pytest.approx([ALPHA] * 2, rel=1e-5)


GRID = [Fraction(i, 8) for i in (0, 1, 4, 6, 8)]
X = np.array(GRID, dtype=float)
TABLES = st.lists(st.integers(0, 12), min_size=5, max_size=5).filter(any)


@settings(max_examples=25)
@given(table=TABLES)
def test_the_quadrature_against_exact_integrals(table: list[int]) -> None:
    low, high = (Fraction(float(end)) for end in portfolio_interval(table, X, 1 / 8))
    tiny = Fraction(1, 10**8)
    for end, inwards in ((low, tiny), (high, -tiny)):
        if 0 < end < 1:
            inside, outside = (wealth(table, GRID, end + by) for by in (inwards, -inwards))
            assert inside < 8 < outside


@given(table=TABLES, j=st.integers(0, 3))
def test_inclusions_and_ends_that_rise_with_rewards(table: list[int], j: int) -> None:
    counts = np.array(table, dtype=float)
    n, total = counts.sum(), counts @ X
    beta, portfolio = beta_interval(n, total, ALPHA), portfolio_interval(counts, X, ALPHA)
    assert beta[0] - 1e-12 <= portfolio[0] <= total / n <= portfolio[1] <= beta[1] + 1e-12
    level, mean = math.log((n + 1) / ALPHA) + 1e-6, total / n
    assert all(n * sum(rel_entr([mean, 1 - mean], [q, 1 - q])) < level for q in beta if 0 < q < 1)
    for q in portfolio[(portfolio > 0) & (portfolio < 1)]:
        ends: Any = (-1 / (1 - q), 1 / q)
        loss: Any = lambda a, q=q: -counts @ np.log(np.maximum(1 + a * (X - q), 1e-300))  # noqa: E731
        assert -minimize_scalar(loss, bounds=ends).fun < level  # type: ignore[attr-defined]
    if counts[j]:
        counts[[j, j + 1]] += [-1, 1]
        assert (portfolio_interval(counts, X, ALPHA) >= portfolio - 1e-12).all()
        assert (beta_interval(n, counts @ X, ALPHA) >= beta - 1e-12).all()


def test_error_shares_sum_to_at_most_alpha() -> None:
    assert error_shares(0.95, 4).sum() == pytest.approx(0.05)
    assert 0.0499 < error_shares(0.95, 10_000, arms=math.inf).sum() < 0.05


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: beta_interval(5, 5.1, 0.1), "sums is 5.1 for counts 5: rewards in"),
        (lambda: beta_interval([1, 2], [1, 1, 1], 0.1), r"sums is \[1, 1, 1\] for counts"),
        (lambda: beta_interval(5, 1, 1.5), "a value of alpha is 1.5"),
        (lambda: portfolio_interval([1, 2], [0, 0.5, 1], 0.1), r"shapes \(2,\), \(3,\) and \(\)"),
        (lambda: normal_interval(1, 1, 0.1, sigma=1, best_at=0), "best_at is 0"),
        (lambda: error_shares(1, 2), "confidence is 1"),
        (lambda: of_log({"a": [1], "r": [2]}, arm="a", reward="r", best_at=9), "give both"),
        (lambda: error_shares(0.9, 3, arms=2), "arms is 2: it must be at least 3"),
    ],
)
def test_errors_name_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
