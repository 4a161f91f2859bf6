"""Bounds of section 4: by hand, in the limit, and against simulations."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bandit_factories import BANDIT, MU, RATES, TEN, random_problem
from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.theory import bounds, deficits
from penalized_bandits.theory.inputs import instance_of

seeds = st.integers(0, 2**32 - 1)
NAN = math.nan
LOW, LOWEST = instance_of(MU, 0.01, RATES), instance_of(MU, 0.001, RATES)
LEVEL = 0.01 * TEN
"""That of an arm of LOW: tau T = 220."""


def test_upper_bounds_by_hand() -> None:
    critical, non_critical = bounds.critical_pulls_bound, bounds.non_critical_pulls_bound
    by_arm, unit = bounds.gap_dependent_bound_by_arm, math.sqrt(10 * TEN)
    for found, expected in (
        (critical(BANDIT, TEN), [NAN, 0.2 * TEN, NAN]),
        (critical(LOW, TEN), [NAN, 80 / 0.2**2, NAN]),
        (non_critical(BANDIT, TEN), [NAN, NAN, 80 / 0.4**2]),
        # tau T = 440 lies between 80/0.36 and 80/0.16; tau T = 22 below both.
        (non_critical(instance_of(MU, 0.02, RATES), TEN), [NAN, NAN, 0.02 * TEN]),
        (non_critical(LOWEST, TEN), [NAN, NAN, 80 / 0.36]),
        # (400 - 220)_+ as stated, (400 - 44)_+ as proved.
        (by_arm(LOW, TEN), [0, 400 - LEVEL, max(0.4 * LEVEL, 80 / 0.6)]),
        (by_arm(LOW, TEN, reading="proved"), [0, 400 - 0.2 * LEVEL, 0.6 * 80 / 0.36 - 0.2 * LEVEL]),
        (bounds.gap_dependent_bound(LOW, TEN), by_arm(LOW, TEN).sum()),
        (
            bounds.gap_independent_bound([0.04, 0.09], TEN),
            8 * unit * 0.5 + 8 * unit * math.sqrt(0.96 * 2),
        ),
    ):
        assert found == pytest.approx(np.array(expected), nan_ok=True)


@settings(max_examples=50)
@given(seeds, st.sampled_from([100, 10**6]))
def test_proved_bound_is_the_regret_at_the_bounds_of_the_pulls(seed: int, horizon: int) -> None:
    """It is higher than the stated one for critical arms only."""
    mu, tau, rates = random_problem(seed)
    bandit = instance_of(mu, tau, rates)
    of_critical = bounds.critical_pulls_bound(bandit, horizon)
    of_others = bounds.non_critical_pulls_bound(bandit, horizon)
    # An optimal arm's term is zero at its level.
    pulls = np.where(bandit.critical, of_critical, of_others)
    pulls = np.where(bandit.optimal, tau * horizon, pulls)
    loss = bandit.gaps * pulls + rates * np.maximum(tau * horizon - pulls, 0)
    expected = loss - np.minimum(bandit.gaps, rates) * tau * horizon
    proved = bounds.gap_dependent_bound_by_arm(bandit, horizon, reading="proved")
    assert proved == pytest.approx(expected, rel=1e-9, abs=1e-6 * horizon * max(1, rates.max()))
    stated = bounds.gap_dependent_bound_by_arm(bandit, horizon)
    rounding = 1e-9 * (1 + stated)
    assert (proved >= stated - rounding)[bandit.critical].all()
    assert (proved <= stated + rounding)[bandit.non_critical].all()


@pytest.mark.parametrize("seed", range(5))
def test_bounds_take_many_horizons(seed: int) -> None:
    bandit = instance_of(*random_problem(seed))
    times = np.array([[10.0, 100.0], [1000.0, 1e6]])
    for bound in (
        bounds.critical_pulls_bound,
        bounds.non_critical_pulls_bound,
        bounds.gap_dependent_bound_by_arm,
        bounds.gap_dependent_bound,
        bounds.largest_regret,
        lambda bandit, t: bounds.lower_bounds_4_6(bandit, t).regret,
        lambda bandit, t: bounds.lower_bounds_4_7(bandit, t).regret,
        deficits.deficit_scale,
        lambda bandit, t: deficits.small_margin_bound(bandit.fairness, t),
        lambda bandit, t: bounds.gap_independent_bound(bandit.fairness, t),
    ):
        whole = bound(bandit, times)
        assert whole.shape[:2] == (2, 2)
        np.testing.assert_allclose(whole[1, 0], bound(bandit, 1000.0))


@settings(max_examples=30)
@given(seeds)
def test_no_allocation_has_more_than_the_largest_regret(seed: int) -> None:
    mu, tau, rates = random_problem(seed)
    rng, horizon = np.random.default_rng(seed), 2000
    shares = rng.dirichlet(np.full(mu.size, 0.2), 20)
    drawn = [rng.multinomial(horizon, s) for s in shares]
    pulls = np.concatenate([np.eye(mu.size, dtype=int) * horizon, drawn])
    bandit = instance_of(mu, tau, rates)
    largest = bounds.largest_regret(bandit, horizon)
    # One arm alone attains it.
    regret = penalized_regret(pulls, bandit)
    assert regret.max() == pytest.approx(float(largest), rel=1e-9, abs=1e-6)


def test_lower_bounds_by_hand() -> None:
    few = instance_of(MU, [0.1, 0.1, 0.0], RATES)
    assert bounds.lower_bounds_4_6(BANDIT, TEN).regret.sum() == pytest.approx(10 / 0.4)
    assert bounds.lower_bounds_4_6(few, TEN).regret.sum() == 0
    found = bounds.lower_bounds_4_7(LOWEST, TEN).regret.sum()
    assert found == pytest.approx(50 - 0.0002 * TEN)
    assert bounds.lower_bounds_4_7(BANDIT, TEN).regret.sum() < 0
    proved = bounds.lower_bound_4_8([0.1, 0.2, 0.3], 800)
    assert proved == pytest.approx(0.4 * math.sqrt(2 * 800 / 2) / (8 * math.e))
    stated = bounds.lower_bound_4_8([0.1, 0.2, 0.3], 800, reading="stated")
    assert stated == pytest.approx(2 * float(proved))


def test_log_slopes() -> None:
    """Optimal; critical with and without a fraction; non-critical with and without."""
    means, fairness = [0.9, 0.65, 0.65, 0.4, 0.4], [0.1, 0.1, 0, 0.1, 0]
    slopes = bounds.log_slopes(instance_of(means, fairness, [0.1, 0.3, 0.3, 0.1, 0.1]))
    assert slopes.lower == pytest.approx([0, 0, 4, 2.5, 0])
    assert slopes.upper == pytest.approx([0, 0, 32, 20, 16])
