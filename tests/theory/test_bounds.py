"""Bounds of section 4: by hand, in the limit, and against simulations."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bandit_factories import BANDIT, MU, RATES, TAU, TEN, random_problem
from penalized_bandits import BanditError, Deterministic, Instance, simulate
from penalized_bandits.bandit.regret import penalized_regret, shortfall
from penalized_bandits.theory import bounds, deficits
from penalized_bandits.theory.inputs import instance_of

seeds = st.integers(0, 2**32 - 1)


def test_pulls_bounds_by_hand() -> None:
    critical = bounds.critical_pulls_bound(BANDIT, TEN)
    assert np.isnan(critical[[0, 2]]).all()
    assert critical[1] == pytest.approx(0.2 * TEN)
    assert bounds.critical_pulls_bound(instance_of(MU, 0.01, RATES), TEN)[1] == pytest.approx(
        80 / 0.2**2
    )
    non_critical = bounds.non_critical_pulls_bound(BANDIT, TEN)
    assert np.isnan(non_critical[:2]).all()
    assert non_critical[2] == pytest.approx(80 / 0.4**2)
    # tau T = 440 lies between 80/0.36 and 80/0.16; tau T = 22 below both.
    assert bounds.non_critical_pulls_bound(instance_of(MU, 0.02, RATES), TEN)[2] == pytest.approx(
        0.02 * TEN
    )
    assert bounds.non_critical_pulls_bound(instance_of(MU, 0.001, RATES), TEN)[2] == pytest.approx(
        80 / 0.36
    )


def test_gap_dependent_bound_by_hand() -> None:
    """tau T = 220 for both: (400 - 220)_+ as stated, (400 - 44)_+ as proved."""
    bandit = instance_of(MU, 0.01, RATES)
    level = 0.01 * TEN
    stated = bounds.gap_dependent_bound_by_arm(bandit, TEN)
    assert stated == pytest.approx([0, 400 - level, max(0.4 * level, 80 / 0.6)])
    proved = bounds.gap_dependent_bound_by_arm(bandit, TEN, reading="proved")
    assert proved == pytest.approx([0, 400 - 0.2 * level, 0.6 * 80 / 0.36 - 0.2 * level])
    assert bounds.gap_dependent_bound(bandit, TEN) == pytest.approx(stated.sum())


@settings(max_examples=50)
@given(seeds, st.sampled_from([100, 10**6]))
def test_proved_bound_is_the_regret_at_the_bounds_of_the_pulls(seed: int, horizon: int) -> None:
    """It is higher than the stated one for critical arms only."""
    mu, tau, rates = random_problem(seed)
    bandit = Instance(mu, tau, rates, Deterministic())
    of_critical = bounds.critical_pulls_bound(instance_of(mu, tau, rates), horizon)
    of_others = bounds.non_critical_pulls_bound(instance_of(mu, tau, rates), horizon)
    pulls = np.where(bandit.critical, of_critical, of_others)
    # An optimal arm's term is zero at its level.
    pulls = np.where(bandit.optimal, tau * horizon, pulls)
    loss = bandit.gaps * pulls + rates * shortfall(pulls, tau, horizon)
    expected = loss - np.minimum(bandit.gaps, rates) * tau * horizon
    proved = bounds.gap_dependent_bound_by_arm(
        instance_of(mu, tau, rates), horizon, reading="proved"
    )
    assert proved == pytest.approx(expected, rel=1e-9, abs=1e-6 * horizon * max(1, rates.max()))
    stated = bounds.gap_dependent_bound_by_arm(instance_of(mu, tau, rates), horizon)
    rounding = 1e-9 * (1 + stated)
    assert (proved >= stated - rounding)[bandit.critical].all()
    assert (proved <= stated + rounding)[bandit.non_critical].all()


def test_critical_arms_exceed_the_bound_as_stated() -> None:
    """K = 2, Delta = 0.05, tau_2 T = 2000 at T = 10^5: it states 0, the regret is 168.

    The O(K) that it leaves out would have to be 80 K; the leading terms as proved are 1742.
    """
    mu, tau, rates, horizon = np.array([0.5, 0.45]), np.array([0.1, 0.02]), np.full(2, 0.5), 10**5
    played = simulate(
        "hard_threshold_ucb", Instance(mu, tau, rates, Deterministic()), horizon, replicates=1
    )
    regret = penalized_regret(played.pulls[0, 0], mu, tau, rates)
    assert bounds.gap_dependent_bound(instance_of(mu, tau, rates), horizon) == 0
    assert 160 < regret < 175
    proved = bounds.gap_dependent_bound(instance_of(mu, tau, rates), horizon, reading="proved")
    assert proved == pytest.approx(8 * math.log(horizon) / 0.05 - 0.05 * 2000)


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


def test_gap_independent_bound_by_hand() -> None:
    unit = math.sqrt(10 * TEN)
    bound = bounds.gap_independent_bound([0.04, 0.09], TEN)
    assert bound == pytest.approx(8 * unit * 0.5 + 8 * unit * math.sqrt(0.96 * 2))


@settings(max_examples=30)
@given(seeds)
def test_no_allocation_has_more_than_the_largest_regret(seed: int) -> None:
    mu, tau, rates = random_problem(seed)
    rng = np.random.default_rng(seed)
    horizon = 2000
    shares = rng.dirichlet(np.full(mu.size, 0.2), 20)
    pulls = np.concatenate(
        [np.eye(mu.size, dtype=int) * horizon, [rng.multinomial(horizon, s) for s in shares]]
    )
    regret = penalized_regret(pulls, mu, tau, rates)
    largest = bounds.largest_regret(instance_of(mu, tau, rates), horizon)
    # One arm alone attains it.
    assert regret.max() == pytest.approx(float(largest), rel=1e-9, abs=1e-6)


# Lower bounds.


def test_lower_bounds_by_hand() -> None:
    assert bounds.lower_bounds_4_6(BANDIT, TEN).regret.sum() == pytest.approx(10 / 0.4)
    assert bounds.lower_bounds_4_6(instance_of(MU, [0.1, 0.1, 0.0], RATES), TEN).regret.sum() == 0
    assert bounds.lower_bounds_4_7(
        instance_of(MU, 0.001, RATES), TEN
    ).regret.sum() == pytest.approx(50 - 0.0002 * TEN)
    assert bounds.lower_bounds_4_7(BANDIT, TEN).regret.sum() < 0
    proved = bounds.lower_bound_4_8([0.1, 0.2, 0.3], 800)
    assert proved == pytest.approx(0.4 * math.sqrt(2 * 800 / 2) / (8 * math.e))
    stated = bounds.lower_bound_4_8([0.1, 0.2, 0.3], 800, reading="stated")
    assert stated == pytest.approx(2 * float(proved))


@pytest.mark.parametrize("gap", [0.001, 0.1, 0.3])
def test_information_constant_is_that_of_two_normal_laws(gap: float) -> None:
    """KL(N(0, 1) || N(2 g, 1)) by integration, against C g^2."""
    x = np.linspace(-12, 12, 20_001)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    divergence = float(np.trapezoid(density * ((x - 2 * gap) ** 2 - x**2) / 2, x))
    assert divergence == pytest.approx(bounds.INFORMATION["proved"] * gap**2, rel=1e-6)
    assert bounds.INFORMATION["stated"] == bounds.INFORMATION["proved"] / 4


def test_log_slopes() -> None:
    """Optimal; critical with and without a fraction; non-critical with and without."""
    mu = np.array([0.9, 0.65, 0.65, 0.4, 0.4])
    lower, upper = bounds.log_slopes(
        instance_of(mu, [0.1, 0.1, 0, 0.1, 0], [0.1, 0.3, 0.3, 0.1, 0.1])
    )
    assert lower == pytest.approx([0, 0, 4, 2.5, 0])
    assert upper == pytest.approx([0, 0, 32, 20, 16])


@settings(max_examples=30)
@given(seeds)
def test_upper_slope_is_the_limit_of_the_proved_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_arms = int(rng.integers(1, 10))
    # Gaps and margins of a sixteenth at least, so that 10^15 rounds are long enough.
    mu, rates = rng.integers(0, 9, n_arms) / 8, rng.integers(0, 9, n_arms) / 8 + 1 / 16
    tau = np.where(rng.random(n_arms) < 0.5, 0.0, 0.5 / n_arms)
    horizon = 1e15
    slope = bounds.gap_dependent_bound_by_arm(instance_of(mu, tau, rates), horizon) / np.log(
        horizon
    )
    lower, upper = bounds.log_slopes(instance_of(mu, tau, rates))
    assert slope == pytest.approx(upper)
    assert (lower <= upper).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.critical_pulls_bound(BANDIT, 1), "horizon is 1: .* at least 2"),
        (lambda: bounds.critical_pulls_bound(BANDIT, [10, np.nan]), "horizon is .10, nan"),
        (lambda: bounds.critical_pulls_bound(BANDIT, math.inf), "is inf: .* finite"),
        (lambda: bounds.critical_pulls_bound(BANDIT, 1e101), "1e.101.*at most 1e.100"),
        (
            lambda: bounds.critical_pulls_bound(instance_of(MU + math.nan, TAU, RATES), 10),
            "means is not finite",
        ),
        (
            lambda: bounds.critical_pulls_bound(instance_of(MU, TAU, RATES[:2]), 10),
            "penalties has shape",
        ),
        (lambda: bounds.critical_pulls_bound(instance_of(MU, -TAU, RATES), 10), "fairness"),
        (lambda: bounds.critical_pulls_bound(instance_of(MU[None], TAU, RATES), 10), "one bandit"),
        (lambda: bounds.critical_pulls_bound(instance_of(MU, TAU, RATES[None]), 10), "one bandit"),
        (lambda: bounds.gap_dependent_bound(BANDIT, 10, reading="x"), "reading"),  # type: ignore[arg-type]
        (lambda: bounds.gap_independent_bound([0.5, 0.6], 10), "fractions sum to 1.1"),
        (lambda: bounds.lower_bound_4_8([0.5], 10), "at least 2"),
        (lambda: bounds.lower_bound_4_8([0.5, 0.1], 10, reading="x"), "reading"),  # type: ignore[arg-type]
    ],
)
def test_refuses(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
