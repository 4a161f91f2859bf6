"""Bounds, conditions and deficits of section 4: by hand, in the limit, and against simulations."""

import math

import numpy as np
import pytest

from penalized_bandits.theory import bounds, deficits
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4, conditions_4_2
from penalized_bandits.theory.inputs import instance_of
from strategies import BANDIT, MU, RATES, TEN

NAN = math.nan
LOW, LOWEST = instance_of(MU, 0.01, RATES), instance_of(MU, 0.001, RATES)
LEVEL = 0.01 * TEN
"""That of an arm of LOW: tau T = 220."""


def test_upper_bounds_by_hand() -> None:
    critical, non_critical = bounds.critical_pulls_bound, bounds.non_critical_pulls_bound
    regret, unit = bounds.gap_dependent_bound, math.sqrt(10 * TEN)
    for found, expected in (
        (critical(BANDIT, TEN), [NAN, 0.2 * TEN, NAN]),
        (critical(LOW, TEN), [NAN, 80 / 0.2**2, NAN]),
        (non_critical(BANDIT, TEN), [NAN, NAN, 80 / 0.4**2]),
        # tau T = 440 lies between 80/0.36 and 80/0.16; tau T = 22 below both.
        (non_critical(instance_of(MU, 0.02, RATES), TEN), [NAN, NAN, 0.02 * TEN]),
        (non_critical(LOWEST, TEN), [NAN, NAN, 80 / 0.36]),
        # (400 - 220)_+ as stated, (400 - 44)_+ as proved.
        (regret(LOW, TEN), 400 - LEVEL + max(0.4 * LEVEL, 80 / 0.6)),
        (regret(LOW, TEN, interpretation="proved"), 400 + 0.6 * 80 / 0.36 - (0.2 + 0.2) * LEVEL),
        # All pulls of the third arm are below its level.
        (regret(BANDIT, TEN, interpretation="proved"), (0.6 - 0.2) * 80 / 0.4**2),
        # All pulls on the third arm; the least loss is 0.2 * 0.2 + 0.2 * 0.3 a round.
        (bounds.largest_regret(BANDIT, TEN), (0.6 + 0.5 * 0.1 + 0.3 * 0.2 - 0.1) * TEN),
        (
            bounds.gap_independent_bound([0.04, 0.09], TEN),
            8 * unit * 0.5 + 8 * unit * math.sqrt(0.96 * 2),
        ),
    ):
        assert found == pytest.approx(np.array(expected), nan_ok=True)


def test_bounds_take_many_horizons() -> None:
    times = np.array([[10.0, 100.0], [1000.0, 1e6]])
    for bound in (
        bounds.critical_pulls_bound,
        bounds.non_critical_pulls_bound,
        bounds.gap_dependent_bound,
        bounds.largest_regret,
        lambda bandit, t: bounds.lower_bounds_4_6(bandit, t).regret,
        lambda bandit, t: bounds.lower_bounds_4_7(bandit, t).regret,
        deficits.deficit_scale,
        lambda bandit, t: deficits.small_margin_bound(bandit.fairness, t),
        lambda bandit, t: bounds.gap_independent_bound(bandit.fairness, t),
    ):
        whole = bound(BANDIT, times)
        assert whole.shape[:2] == (2, 2)
        np.testing.assert_allclose(whole[1, 0], bound(BANDIT, 1000.0))


def test_lower_bounds_by_hand() -> None:
    few = instance_of(MU, [0.1, 0.1, 0.0], RATES)
    assert bounds.lower_bounds_4_6(BANDIT, TEN).regret.sum() == pytest.approx(10 / 0.4)
    assert bounds.lower_bounds_4_6(few, TEN).regret.sum() == 0
    found = bounds.lower_bounds_4_7(LOWEST, TEN).regret.sum()
    assert found == pytest.approx(50 - 0.0002 * TEN)
    assert bounds.lower_bounds_4_7(BANDIT, TEN).regret.sum() < 0
    proved = bounds.lower_bound_4_8([0.1, 0.2, 0.3], 800)
    assert proved == pytest.approx(0.4 * math.sqrt(2 * 800 / 2) / (8 * math.e))
    stated = bounds.lower_bound_4_8([0.1, 0.2, 0.3], 800, interpretation="stated")
    assert stated == pytest.approx(2 * float(proved))


def test_condition_4_1_by_hand() -> None:
    """tau T = 100 < 32 log T, so the root is above 1, and the minimum is 1."""
    assert condition_4_1(instance_of([0.5, 0.4], 0.1, 1.1 - 1e-9), 1000).tolist() == [True, False]
    rates = math.sqrt(320 / (0.1 * TEN)) + np.array([1e-9, -1e-9])
    assert condition_4_1(instance_of([0.5, 0.5], 0.1, rates), TEN).tolist() == [True, False]
    # It says nothing of arms without a fraction.
    met = condition_4_1(instance_of([0.5, 0.5], [0.1, 0.0], 5.0), 1e9)
    assert met.tolist() == [True, False]


@pytest.mark.parametrize("more", [1e-9, -1e-9])
def test_conditions_4_2_by_hand(more: float) -> None:
    """K = 3, c_a from the second arm's rate, Delta - A of the third; c_0 = 0.4 or 0.699."""
    c_a = math.sqrt(16 * 0.16 * 3 * 10 / TEN) + more
    first, _ = conditions_4_2(instance_of(MU, BANDIT.fairness, [1.0, 0.2 + c_a, 0.2]), TEN)
    assert first.tolist() == [more > 0, more > 0, True]
    of_all, of_arm = 8 * 30 / (0.16 * TEN), (10 + math.log(0.4)) / (0.3 * 0.4 * TEN)
    assert of_arm < of_all
    # Of an arm that is owed next to nothing the first of the two is the smaller.
    smaller = {0.3: of_arm, 0.001: 8 * 30 / (0.699**2 * TEN)}
    for tau, square in smaller.items():
        rates = [2.0, 2.0, 0.6 - math.sqrt(square) - more]
        _, second = conditions_4_2(instance_of(MU, [0.1, 0.2, tau], rates), TEN)
        assert second.tolist() == [True, True, more > 0]


def test_conditions_4_2_can_hold() -> None:
    """c_a is 0.2: Delta - A of the others is from the least to below c_a/4."""
    for rate, holds in ((0.53, False), (0.56, True), (0.5997, False)):
        _, second = conditions_4_2(instance_of([0.9, 0.7, 0.3], 0.2, [0.9, 0.4, rate]), 1e9)
        assert second.tolist() == [True, True, holds]


def test_condition_lemma_4_4_by_hand() -> None:
    rates = np.array([0.0, 0.2, 0.0]) + math.sqrt(960 / TEN) + np.array([1e-9, -1e-9, 0.0])
    assert condition_lemma_4_4(instance_of(MU, 0.2, rates), TEN).tolist() == [True, False, True]


def test_drift_bound_by_hand() -> None:
    """Of arms with A > Delta alone."""
    tau = [0.02, 0.3, 0.05, 0.2]
    found = deficits.drift_bound(instance_of([0.9, 0.8, 0.7, 0.2], tau, [0.3, 0.4, 0.5, 0.2]))
    assert found[:3] == pytest.approx([0.02 * 2 / 0.65, 0.3 * 2 / 0.93, 0.05 * 2 / 0.68])
    assert np.isnan(found[3])
    two = instance_of([0.5] * 2, [0.2, 0.4], 1.0)
    assert deficits.drift_bound(two) == pytest.approx([1 / 3, 1 / 2])
    assert deficits.drift_bound(instance_of([0.5], [0.5], 1.0)).tolist() == [0]


def test_deficit_coefficients_by_hand() -> None:
    """S = (2, 1.5, 1.25) with means (1, 0.75, 0.75): b by hand, arms in another order."""
    mu, rates = np.array([0.75, 1.0, 0.75]), np.array([0.75, 1.0, 0.5])
    b = 8 * np.array([[0.5, 0.75], [1.5 - 1, 0.25], [1.25 - 1, 1.25 - 0.75]]) ** -2.0 @ [1, 1]
    stated = deficits.deficit_coefficients(instance_of(mu, 0.1, rates))
    assert stated[[1, 0, 2]] == pytest.approx([b[0], 2 * b[0] + b[1], 3 * b[0] + 2 * b[1] + b[2]])


def test_deficit_coefficients_are_infinite_at_ties() -> None:
    """Setting 4, first panel: arms 4 and 5 tie, and only they and what follows suffer."""
    mu, rate = [0.9, 0.8, 0.7, 0.6, 0.6, 0.4, 0.3, 0.2, 0.1], 0.45
    a = deficits.deficit_coefficients(instance_of(mu, 0.05, rate))
    assert np.isfinite(a[:3]).all()
    assert np.isinf(a[3:5]).all()
    assert np.isnan(a[5:]).all()
    # A = Delta exactly, though 0.1 + 0.6 is not quite 0.7 in floating point; in any unit.
    for unit in (1e-10, 1.0, 1e10):
        tie = instance_of([0.7 * unit, 0.1 * unit], 0.1, [0.5 * unit, 0.6 * unit])
        assert np.isinf(deficits.deficit_coefficients(tie)[1])
        near = instance_of(tie.means, 0.1, [0.5 * unit, 0.6 * unit + 1e-4 * unit])
        assert np.isfinite(deficits.deficit_coefficients(near)[1])


def test_bounds_by_hand() -> None:
    expected = [0.1 * math.sqrt(640 * TEN), 0.2 * math.sqrt(640 * TEN)]
    assert deficits.small_margin_bound([0.1, 0.2], TEN) == pytest.approx(expected)
    scale = deficits.deficit_scale(BANDIT, TEN)
    assert scale[:2] == pytest.approx([0.1 * 960 / 0.25, 0.2 * 960 / 0.01])
    assert np.isnan(scale[2])
    # A = Delta; the same for an arm that is owed nothing.
    assert np.isinf(deficits.deficit_scale(instance_of([0.75, 0.5], 0.1, 0.25), TEN)[1])
    assert deficits.deficit_scale(instance_of([0.75, 0.5], [0.1, 0.0], 0.25), TEN)[1] == 0
