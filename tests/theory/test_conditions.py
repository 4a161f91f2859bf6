"""Conditions of the theorems of section 4, by hand."""

import math

import numpy as np
import pytest

from bandit_factories import BANDIT, MU, RATES, TEN
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4, conditions_4_2
from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7
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


def test_conditions_4_6_by_hand() -> None:
    # log T = 10, so 10/0.64 pulls are claimed of each of three arms.
    found = conditions_4_6(instance_of([0.9, 0, 0, 0], [0.1, 0.2, 0.2, 0.2], 0.1), TEN)
    assumed, last, settled, overtaken = found
    assert assumed.applies.tolist() == [False, True, True, True]
    assert assumed.value[1:] == pytest.approx(0.1 * TEN)
    assert assumed.least[1:] == pytest.approx(80 / 0.64)
    assert last.least[1:] == pytest.approx(TEN / 2 + 1 + 2 * 80 / 0.64 + 16)
    assert (settled.value, settled.least) == (0.5, 0.1)
    assert overtaken.value[1:] == pytest.approx(math.sqrt(2 * (10 - math.log(2)) * 0.064))
    assert overtaken.least[1:] == pytest.approx(0.8 + math.sqrt(40 / TEN))
    assert all(condition.holds for condition in found)


def test_conditions_4_7_by_hand() -> None:
    # Two critical arms with Delta = 0.2, one other with Delta - A = 0.5; log T = 10.
    tau = [0.1, 0.01, 0.012, 0.1]
    found = conditions_4_7(instance_of([0.8, 0.6, 0.6, 0.2], tau, [0.5, 0.5, 0.5, 0.1]), TEN)
    explored, level, last, _, overtaken = found
    assert explored.value == pytest.approx(TEN / 2)
    assert explored.least == pytest.approx(2 * 80 / 0.04 + 80 / 0.25)
    assert level.applies.tolist() == [False, True, True, False]
    assert level.value[1:3] == pytest.approx(10 / 0.04)
    assert level.least == pytest.approx(np.multiply(tau, TEN))
    assert last.least[1:3] == pytest.approx(TEN / 2 + 1 + 80 / 0.04 + 80 / 0.25 + 250)
    assert overtaken.least[1:3] == pytest.approx(0.2 + math.sqrt(40 / TEN))
    # tau T is 264 for the second of them, more than 250.
    assert [c.holds for c in found] == [True, False, True, True, True]
    assert level.per_arm.tolist() == [True, True, False, True]
