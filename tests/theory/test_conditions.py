"""Conditions of the theorems of section 4: by hand, in the paper's settings, and played."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from bandit_factories import BANDIT, MU, RATES, TAU, TEN
from penalized_bandits import BanditError, Deterministic, Instance, simulate
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4, conditions_4_2
from penalized_bandits.theory.inputs import instance_of


def test_condition_4_1_at_small_horizons() -> None:
    """tau T = 100 < 32 log T, so the root is above 1, and the minimum is 1."""
    stated = condition_4_1(instance_of([0.5, 0.4], 0.1, [1.1, 1.1]), 1000)
    assert stated.least == pytest.approx([1, 1])
    assert stated.value == pytest.approx([1.1, 1.0])
    assert stated.holds
    later = condition_4_1(instance_of([0.5, 0.4], 0.1, [1.1, 1.1]), TEN)
    assert later.least == pytest.approx(math.sqrt(320 / (0.1 * TEN)))


def test_condition_4_1_says_nothing_of_arms_without_a_fraction() -> None:
    met = condition_4_1(instance_of([0.5, 0.5], [0.1, 0.0], 5.0), 1e9)
    assert met.per_arm.tolist() == [True, False]


def test_condition_4_1_as_stated_is_not_enough() -> None:
    """Each arm at its root, sum tau = 0.91: arm 1 stays a quarter below its level."""
    horizon, n_arms = 100_000, 11
    tau = np.r_[0.9, np.full(10, 0.001)]
    mu = np.full(n_arms, 0.5)
    root = np.sqrt(32 * np.log(horizon) / (tau * horizon))
    rates = np.minimum(root, 1.0) * (1 + 1e-12)
    assert condition_4_1(instance_of(mu, tau, rates), horizon).holds
    # It is not the minimum alone that is wrong.
    for penalties in (rates, root):
        bandit = Instance(mu, tau, penalties, Deterministic())
        played = simulate("hard_threshold_ucb", bandit, horizon, replicates=1)
        assert played.pulls[0, 0, 0] / horizon == pytest.approx(0.66, abs=0.01)


@pytest.mark.parametrize("seed", range(5))
def test_setting_1_violates_4_2(seed: int) -> None:
    """A = max Delta/2: the worst arm has Delta - A = A, and c_a is at most A."""
    mu = np.random.default_rng(seed).random(5 if seed % 2 else 20)
    rates = np.full(mu.size, (mu.max() - mu.min()) / 2)
    for horizon in (500, 16_000, 1e12):
        _, second = conditions_4_2(instance_of(mu, 0.4 / mu.size, rates), horizon)
        assert not second.per_arm[np.argmin(mu)]


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


def test_conditions_4_2_can_hold() -> None:
    found = conditions_4_2(instance_of([0.9, 0.7, 0.3], 0.2, [0.9, 0.9, 0.53]), 1e9)
    assert all(condition.holds for condition in found)


def test_condition_lemma_4_4_by_hand() -> None:
    stated = condition_lemma_4_4(BANDIT, TEN)
    assert stated.least == pytest.approx(math.sqrt(960 / TEN))
    assert stated.per_arm.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: conditions_4_2(BANDIT, 1), "at least 2"),
        (lambda: conditions_4_2(instance_of(MU[None], TAU, RATES), 10), "one bandit"),
    ],
)
def test_refuses(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
