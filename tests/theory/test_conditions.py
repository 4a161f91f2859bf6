"""Conditions of the theorems of section 4: by hand, in the paper's settings, and played."""

import math

import pytest

from bandit_factories import BANDIT, MU, RATES, TEN
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4, conditions_4_2
from penalized_bandits.theory.inputs import instance_of


def test_condition_4_1_at_small_horizons() -> None:
    """tau T = 100 < 32 log T, so the root is above 1, and the minimum is 1."""
    bandit = instance_of([0.5, 0.4], 0.1, [1.1, 1.1])
    stated = condition_4_1(bandit, 1000)
    assert stated.least == pytest.approx([1, 1])
    assert stated.value == pytest.approx([1.1, 1.0])
    assert stated.holds
    assert condition_4_1(bandit, TEN).least == pytest.approx(math.sqrt(320 / (0.1 * TEN)))


def test_condition_4_1_says_nothing_of_arms_without_a_fraction() -> None:
    met = condition_4_1(instance_of([0.5, 0.5], [0.1, 0.0], 5.0), 1e9)
    assert met.per_arm.tolist() == [True, False]


def test_conditions_4_2_by_hand() -> None:
    """c_a = min(0.5, 0.3 - 0.2) = 0.1, c_0 = 0.4, K = 3."""
    first, second = conditions_4_2(BANDIT, TEN)
    assert first.value == pytest.approx(0.1)
    assert first.least == pytest.approx(math.sqrt(16 * 0.16 * 3 * 10 / TEN))
    assert first.applies.tolist() == [True, True, False]
    assert first.holds
    assert second.value[2] == pytest.approx(0.4)
    assert second.most == pytest.approx(0.025)
    of_all, of_arm = 8 * 30 / (0.16 * TEN), (10 + math.log(0.4)) / (0.3 * 0.4 * TEN)
    assert second.least[2] == pytest.approx(math.sqrt(min(of_all, of_arm)))
    assert not second.holds
    # Of an arm that is owed next to nothing the first of the two is the smaller.
    _, second = conditions_4_2(instance_of(MU, [0.1, 0.2, 0.001], RATES), TEN)
    assert second.least[2] == pytest.approx(math.sqrt(8 * 30 / (0.699**2 * TEN)))


def test_conditions_4_2_can_hold() -> None:
    found = conditions_4_2(instance_of([0.9, 0.7, 0.3], 0.2, [0.9, 0.9, 0.53]), 1e9)
    assert all(condition.holds for condition in found)


def test_condition_lemma_4_4_by_hand() -> None:
    stated = condition_lemma_4_4(BANDIT, TEN)
    assert stated.least == pytest.approx(math.sqrt(960 / TEN))
    assert stated.per_arm.tolist() == [True, False, True]
