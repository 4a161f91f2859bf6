"""Bounds, conditions, predictions, statistics and fits at the edge of what is allowed.

Warnings are errors in all tests: nothing here may divide by zero or overflow.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits.checks import LARGEST
from penalized_bandits.errors import BanditError
from penalized_bandits.theory import bounds, conditions, fluid
from penalized_bandits.theory.crossing import crossing
from penalized_bandits.theory.fits import (
    LONGEST,
    choose_law,
    fit_log,
    fit_plateau,
    fit_power,
    measure,
    slope_between,
)
from penalized_bandits.theory.paths import elasticity, isotonic
from penalized_bandits.theory.problem import Reading
from penalized_bandits.theory.statistics import (
    LARGEST_VALUE,
    SMALLEST_SPREAD,
    bootstrap_mean,
    holm,
    mean_estimate,
    paired_difference,
    wilson,
)

TINY = math.ulp(0.0)
READINGS: tuple[Reading, Reading] = ("stated", "proved")
HORIZONS = (2, 3, 1e3, 2.0**31 - 1, 1e18, 1e100)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[float], list[float], list[float]]:
    """Draw means, fractions and rates; some rates are the gaps, some means equal."""
    n_arms = draw(st.integers(1, 5))
    size = st.sampled_from([1.0, 1.0, 1e-300, TINY, LARGEST / 2])
    unit = st.sampled_from([0.0, 1.0, 0.5, 0.1 + 0.2, 0.3, -1.0])

    def values(of: st.SearchStrategy[float]) -> list[float]:
        return draw(st.lists(of, min_size=n_arms, max_size=n_arms))

    scale = draw(size)
    means = [scale * value for value in values(unit)]
    gaps = [max(means) - mean for mean in means]
    rates = values(st.sampled_from([0.0, TINY, 0.5, 1e9, LARGEST]))
    penalties = [
        gap if draw(st.booleans()) else rate for gap, rate in zip(gaps, rates, strict=True)
    ]
    weights = values(st.sampled_from([0.0, TINY, 1e-6, 1.0]))
    total = draw(st.sampled_from([0.0, 0.5, 1 - 1e-12]))
    fairness = [weight / max(sum(weights), 1e-300) * total for weight in weights]
    return means, fairness, penalties


@settings(max_examples=200)
@given(problems(), st.sampled_from(HORIZONS))
def test_bounds_are_numbers(
    problem: tuple[list[float], list[float], list[float]], horizon: float
) -> None:
    means, fairness, penalties = problem
    gap = max(means) - np.array(means)
    optimal, critical = gap == 0, (gap > 0) & (np.array(penalties) >= gap)
    assert np.isfinite(bounds.largest_regret(*problem, horizon))
    for found, known in (
        (bounds.critical_pulls_bound(*problem, horizon), critical),
        (bounds.non_critical_pulls_bound(*problem, horizon), ~optimal & ~critical),
        (bounds.deficit_scale(*problem, horizon), optimal | critical),
        (bounds.deficit_coefficients(*problem), optimal | critical),
        (bounds.deficit_coefficients(*problem, reading="proved"), optimal | critical),
    ):
        # NaN for the arms that the bound is not about, and for no others.
        assert (np.isnan(found) == ~known).all()
        assert (found[known] >= 0).all()
    for reading in READINGS:
        assert bounds.gap_dependent_bound(*problem, horizon, reading=reading) >= 0
    for bound in (
        bounds.ucb1_regret_bound(means, horizon),
        bounds.small_margin_bound(fairness, horizon),
        bounds.gap_independent_bound(fairness, horizon),
        bounds.lower_bound_4_6(*problem, horizon),
        bounds.settled_deficit(fairness),
        *bounds.log_slopes(*problem),
    ):
        assert (bound >= 0).all()
    assert not np.isnan(bounds.lower_bound_4_7(*problem, horizon))


@settings(max_examples=150)
@given(problems(), st.sampled_from(HORIZONS))
def test_conditions_are_decided(
    problem: tuple[list[float], list[float], list[float]], horizon: float
) -> None:
    found = [*conditions.conditions_4_3(*problem), conditions.condition_4_5(problem[1])]
    found += conditions.conditions_4_8(problem[1], problem[2], 0.1)
    for reading in READINGS:
        found.append(conditions.condition_4_1(*problem, horizon, reading=reading))
        found += conditions.conditions_4_2(*problem, horizon, reading=reading)
        found.append(conditions.condition_lemma_4_4(*problem, horizon, reading=reading))
    for one in found:
        assert not np.isnan(one.value[one.applies]).any(), one.name
        assert not np.isnan(one.least[one.applies]).any(), one.name
        assert not np.isnan(one.most[one.applies]).any(), one.name


@settings(max_examples=150)
@given(problems(), st.sampled_from([5, 30, 1e6, 2.0**31 - 1]))
def test_predicted_pulls_sum_to_the_horizon(
    problem: tuple[list[float], list[float], list[float]], horizon: float
) -> None:
    if max(*problem[2], np.ptp(problem[0])) >= 1e9:
        # Beside such rates a radius has few digits left; where too few, that is said.
        with suppress(BanditError):
            pulls = fluid.predicted_pulls(*problem, horizon)
            assert pulls.sum() == pytest.approx(horizon, rel=fluid.BALANCED)
        return
    pulls = fluid.predicted_pulls(*problem, horizon)
    assert (pulls >= 1).all()
    assert pulls.sum() == pytest.approx(horizon, rel=1e-9)
    assert (fluid.break_points(problem[0], problem[1], horizon) >= 0).all()


def test_a_balance_without_digits_is_refused() -> None:
    with pytest.raises(BanditError, match=r"up to 1e\+12 leave radii at T = .* too few digits"):
        fluid.predicted_pulls([LARGEST, 0.0], 0.5 - 1e-12, LARGEST, 2.0**31 - 1)


def test_gaps_at_the_rate_and_arms_that_are_owed_nothing() -> None:
    # mu = (1, 1/2, 0), A = (0, 1/2, 0.1): arm 2 has A = Delta, arm 3 Delta > A; tau_3 = 0.
    problem = ([1.0, 0.5, 0.0], [0.2, 0.3, 0.0], [0.0, 0.5, 0.1])
    log = math.log(1000)
    assert bounds.deficit_scale(*problem, 1000)[:2].tolist() == [math.inf, math.inf]
    nothing_owed = ([1.0, 0.5, 0.0], [0.2, 0.0, 0.0], [0.0, 0.5, 0.1])
    assert bounds.deficit_scale(*nothing_owed, 1000)[1] == 0
    assert bounds.critical_pulls_bound(*problem, 1000)[1] == pytest.approx(300)
    # min{8 log T/0.81, 0} is nothing; 8 log T/1 remains.
    assert bounds.non_critical_pulls_bound(*problem, 1000)[2] == pytest.approx(8 * log)
    assert bounds.lower_bound_4_6(*problem, 1000) == 0
    assert bounds.lower_bound_4_7(*problem, 1000) == pytest.approx(2 * log - 150)


def test_one_arm_owes_nothing_to_others() -> None:
    one = ([0.5], [0.5], [1e9])
    assert bounds.largest_regret(*one, 100) == 0
    assert bounds.ucb1_regret_bound([0.5], 100) == 0
    assert bounds.gap_dependent_bound(*one, 100) == 0
    assert bounds.settled_deficit([0.5]).tolist() == [0]
    assert bounds.lower_bound_4_6(*one, [100, 1000]).tolist() == [0, 0]
    assert fluid.predicted_pulls(*one, 100).tolist() == pytest.approx([100])


def test_gaps_next_to_zero_bound_nothing() -> None:
    near = ([TINY, 0.0], [0.1, 0.0], [0.0, 0.0])
    assert bounds.ucb1_regret_bound(near[0], 100) == math.inf
    assert bounds.non_critical_pulls_bound(*near, 100)[1] == math.inf
    assert bounds.log_slopes(*near).upper[1] == math.inf


@pytest.mark.parametrize(
    ("call", "culprit"),
    [
        (lambda: bounds.ucb1_regret_bound([0.5, 0.1], 1), "horizon is 1: .* at least 2"),
        (lambda: bounds.ucb1_regret_bound([0.5, 0.1], math.nan), "horizon is nan"),
        (lambda: bounds.ucb1_regret_bound([0.5, 0.1], [10, math.inf]), "horizon is .10, inf"),
        (lambda: bounds.ucb1_regret_bound([0.5, 0.1], 1e101), "horizon is 1e.101.*at most 1e.100"),
        (lambda: bounds.ucb1_regret_bound([0.5, math.nan], 10), "value of means is not finite"),
        (lambda: bounds.largest_regret([1.0], [1.0], 0.0, 10), "fractions sum to 1"),
        (lambda: bounds.information_constant(0.0), "sd of the rewards is 0.0: .* above 0"),
        (lambda: bounds.information_constant(1e-51), "sd of the rewards is 1e-51"),
        (lambda: bounds.information_constant(1e13), "sd of the rewards is 10000000000000"),
        (lambda: bounds.information_constant(math.nan), "sd of the rewards is nan"),
        (lambda: bounds.two_point_bound([0.1, 0.1], 10, math.nan), "value of gap is not finite"),
        (lambda: bounds.two_point_bound([0.1, 0.1], 10, -0.1), "gap is -0.1: it must be >= 0"),
        (lambda: bounds.gap_independent_bound([0.1], 10, constant=math.inf), "constant is inf"),
        (lambda: fluid.predicted_pulls([0.5, 0.4], 0.1, 0.0, math.inf), "horizon is inf"),
        (lambda: fluid.predicted_pulls([0.5, 0.4], 0.1, 0.0, 9, math.nan), "exploration is nan"),
        (lambda: mean_estimate([LARGEST_VALUE * 2]), "holds 2e.50: at most 1e.50"),
        (lambda: fit_log([1, 2, 2 * LONGEST], [1, 2, 3], [1, 1, 1]), "at most 1e.18"),
        (lambda: fit_log([0.5, 1, 2], [1, 2, 3], [1, 1, 1]), "from at least 1"),
        (lambda: fit_plateau([1, 2, 3], [1, 2, 3], [1, 1, 1], rate=math.nan), "rate is nan"),
        (lambda: isotonic([1, 2], [1, 2], [1, SMALLEST_SPREAD / 2]), "must be positive"),
    ],
)
def test_refusals(call: Callable[[], object], culprit: str) -> None:
    with pytest.raises(BanditError, match=culprit):
        call()


SPECIAL = st.sampled_from(
    [0.0, 1.0, -1.0, 1 + 2**-52, TINY, -TINY, 1e9, 1e9 + 1e-6, LARGEST_VALUE, -LARGEST_VALUE]
)
SAMPLES = st.lists(SPECIAL, min_size=1, max_size=6)


@settings(max_examples=200)
@given(SAMPLES, st.data())
def test_estimates_of_any_values(values: list[float], data: st.DataObject) -> None:
    others = data.draw(st.lists(SPECIAL, min_size=len(values), max_size=len(values)))
    for estimate in (mean_estimate(values), bootstrap_mean(values, resamples=30)):
        assert estimate.low <= estimate.high
        assert math.isfinite(estimate.value)
        if len(set(values)) == 1 and len(values) > 1:
            assert estimate.low == estimate.high == estimate.value
        if len(values) == 1:
            assert (estimate.low, estimate.high) == (-math.inf, math.inf)
    for method in ("t", "bootstrap"):
        pair = paired_difference(values, others, method=method, resamples=30)
        assert pair.difference.low <= pair.difference.high
        assert 0 <= pair.p_greater <= 1
        assert 0 <= pair.p_less <= 1
        if values == others:
            assert pair.p_greater == pair.p_less == 1


@pytest.mark.parametrize("n", [1, 2, 10**6, 10**12])
def test_proportions_of_none_and_all(n: int) -> None:
    none, all_ = wilson(0, n), wilson(n, n)
    assert none.low == 0 < none.high < 1
    assert 0 < all_.low < 1 == all_.high
    assert none.high == pytest.approx(1 - all_.low, rel=1e-6)


def test_p_values_of_zero_and_next_to_it() -> None:
    assert holm([0.0, TINY, 1.0, 0.0]).tolist() == [0, 2 * TINY, 1, 0]


def everything(horizons: list[float], mean: list[float], se: list[float]) -> None:
    """Fit all there is to fit, and check that what comes out is a number or said to be none."""
    for fit in (fit_log(horizons, mean, se), fit_plateau(horizons, mean, se, 0.5)):
        value, spread = fit.predict(horizons)
        assert np.isfinite(value).all()
        assert (spread >= 0).all()
    power = fit_power(horizons, mean, se)
    assert power.converged == (power.message == "")
    assert power.converged == math.isfinite(power.exponent.value)
    assert not power.exponent.low > power.exponent.high
    choice = choose_law(horizons, mean=mean, se=se, resamples=20)
    assert choice.decision in ("plateau", "log", "power", "undecided")
    assert choice.reason
    assert choice.growth.low <= choice.growth.value <= choice.growth.high


@settings(max_examples=100)
@given(
    st.lists(SPECIAL, min_size=5, max_size=5),
    st.lists(
        st.sampled_from([0.0, TINY, SMALLEST_SPREAD, 1e-9, 1.0, LARGEST_VALUE]),
        min_size=5,
        max_size=5,
    ),
    st.sampled_from([[10, 100, 1e3, 1e4, 1e5], [1, 1 + 1e-15, 2, 3, 1e18], [1, 2, 3, 4, 5]]),
)
def test_fits_of_any_values(mean: list[float], se: list[float], horizons: list[float]) -> None:
    everything(horizons, mean, se)


@settings(max_examples=60)
@given(st.lists(st.lists(SPECIAL, min_size=3, max_size=3), min_size=5, max_size=5), st.booleans())
def test_fits_of_any_replicates(samples: list[list[float]], paired: bool) -> None:
    horizons = [10, 100, 1e3, 1e4, 1e5]
    data = measure(horizons, samples, paired)
    assert (data.se >= 0).all()
    choice = choose_law(horizons, samples, paired=paired, resamples=20)
    assert choice.decision in ("plateau", "log", "power", "undecided")
    slope = slope_between(horizons, samples, 0, 1, paired)
    assert slope.decision in ("within", "below", "above", "unclear")
    found = crossing(horizons, np.array(samples).T, resamples=20)
    assert found.status in ("crossed", "low", "high", "unclear")
    assert found.horizon.low <= found.horizon.high
    path = isotonic(horizons, [sample[0] for sample in samples])
    assert (np.diff(path.fitted) >= 0).all()
    assert 0 <= path.share <= 1


@pytest.mark.parametrize(
    ("x", "y", "interval"),
    [
        ([2, 2, 3, 4, 5], [1, 1, 1, 1, 1], (0, 0, 0)),
        ([1, 2, 3, 4, 5], [7, 7, 7, 7, 7], (0, 0, 0)),
        # Four points at one place: the slope is log(7/3)/log 2, its interval unknown.
        ([1, 1, 1, 1, 2], [3, 3, 3, 3, 7], (math.log2(7 / 3), -math.inf, math.inf)),
    ],
)
def test_elasticity_of_tied_points(x: Any, y: Any, interval: tuple[float, float, float]) -> None:
    found = elasticity(x, y).over_points
    assert (found.value, found.low, found.high) == pytest.approx(interval)
