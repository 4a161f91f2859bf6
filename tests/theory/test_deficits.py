"""Deficits of Theorems 4.1 and 4.3, Lemma 4.4 and Observation 1: by hand and played."""

import math

import numpy as np
import pytest

from bandit_factories import BANDIT, TEN
from config_helpers import PAPER
from penalized_bandits.theory.deficits import (
    deficit_coefficients,
    deficit_scale,
    drift_bound,
    limiting_deficit,
    small_margin_bound,
)
from penalized_bandits.theory.inputs import instance_of


def test_drift_bound_by_hand() -> None:
    """Of arms with A > Delta alone; with all arms of that kind it is the deficit settled so far."""
    tau = [0.02, 0.3, 0.05, 0.2]
    found = drift_bound(instance_of([0.9, 0.8, 0.7, 0.2], tau, [0.3, 0.4, 0.5, 0.2]))
    assert found[:3] == pytest.approx([0.02 * 2 / 0.65, 0.3 * 2 / 0.93, 0.05 * 2 / 0.68])
    assert np.isnan(found[3])
    np.testing.assert_allclose(
        drift_bound(instance_of(0.5 + np.zeros(4), tau, 1.0)), limiting_deficit(tau)
    )
    assert limiting_deficit([0.2, 0.4]) == pytest.approx([0.2 / 0.6, 0.4 / 0.8])
    assert limiting_deficit([0.5]).tolist() == [0]


def test_deficit_coefficients_by_hand() -> None:
    """S = (2, 1.5, 1.25) with means (1, 0.75, 0.75): b by hand, arms in another order."""
    mu, rates = np.array([0.75, 1.0, 0.75]), np.array([0.75, 1.0, 0.5])
    b = 8 * np.array([[0.5, 0.75], [1.5 - 1, 0.25], [1.25 - 1, 1.25 - 0.75]]) ** -2.0 @ [1, 1]
    stated = deficit_coefficients(instance_of(mu, 0.1, rates))
    assert stated[[1, 0, 2]] == pytest.approx([b[0], 2 * b[0] + b[1], 3 * b[0] + 2 * b[1] + b[2]])


def test_deficit_coefficients_are_infinite_at_ties() -> None:
    """Setting 4, first panel: arms 4 and 5 tie, and only they and what follows suffer."""
    mu, rate = PAPER["setting_4"]["cases"]["noncritical_1"]["means"], 0.45
    a = deficit_coefficients(instance_of(mu, 0.05, rate))
    assert np.isfinite(a[:3]).all()
    assert np.isinf(a[3:5]).all()
    assert np.isnan(a[5:]).all()
    # A = Delta exactly, though 0.1 + 0.6 is not quite 0.7 in floating point.
    assert np.isinf(deficit_coefficients(instance_of([0.7, 0.1], 0.1, [0.5, 0.6]))[1])


def test_bounds_by_hand() -> None:
    expected = [0.1 * math.sqrt(640 * TEN), 0.2 * math.sqrt(640 * TEN)]
    assert small_margin_bound([0.1, 0.2], TEN) == pytest.approx(expected)
    scale = deficit_scale(BANDIT, TEN)
    assert scale[:2] == pytest.approx([0.1 * 960 / 0.25, 0.2 * 960 / 0.01])
    assert np.isnan(scale[2])
    # A = Delta; the same for an arm that is owed nothing.
    assert np.isinf(deficit_scale(instance_of([0.75, 0.5], 0.1, 0.25), TEN)[1])
    assert deficit_scale(instance_of([0.75, 0.5], [0.1, 0.0], 0.25), TEN)[1] == 0
