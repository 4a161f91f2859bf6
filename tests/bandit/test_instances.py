"""Instances: what is checked, and the sets of arms of section 2."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Bernoulli, Gaussian, Instance
from penalized_bandits.theory.bounds import gap_dependent_bound, lower_bound_4_8
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.deficits import drift_bound
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.inputs import free_share
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant

GOOD: dict[str, Any] = {
    "means": [0.9, 0.5, 0.1],
    "fairness": [0.1, 0.2, 0.3],
    "penalties": [0.0, 0.4, 0.5],
    "rewards": Gaussian(0.1),
}


@pytest.mark.parametrize(
    ("wrong", "culprit"),
    [
        ({"means": []}, "means must have shape"),
        ({"means": np.zeros((2, 2, 2))}, "means must have shape"),
        ({"means": [0.9, math.nan, 0.1]}, "a value of means is not finite"),
        ({"fairness": [0.1, 0.2]}, r"fairness has shape \(2,\).*3 arms: it must be \(3,\)$"),
        ({"fairness": np.full((2, 3), 0.1)}, r"fairness has shape \(2, 3\)"),
        ({"fairness": [0.1, 0.2, -0.1]}, "fairness holds -0.1"),
        ({"fairness": [0.25, 0.25, 0.5 + 1e-9]}, "sum to 1.000000001: the sum must be at most 1"),
        ({"penalties": [0.1] * 4}, r"penalties has shape \(4,\).*must be \(3,\) or \(R, 3\)$"),
        ({"penalties": [0.1, -2.0, 0.0]}, "penalties holds -2"),
        ({"means": [0, -1.01e12, 0]}, "a value of means is -1.01e.12: at most 1e.12"),
        ({"means": ["high", "low", "mid"]}, "means must be numbers"),
        ({"means": [[0.1, 0.2], [0.3]]}, "means must be numbers in rows of one length"),
        ({"penalties": 10**400}, "penalties must be numbers"),
        ({"fairness": -5e-324}, "fairness holds -4.94066e-324: every value must be at least 0"),
        ({"rewards": "gaussian"}, "rewards is 'gaussian': it must be a reward family"),
        ({"rewards": Gaussian}, "rewards is .*Gaussian'>: it must be a reward family"),
        ({"means": np.full((4, 3), 0.5), "penalties": np.ones((5, 3))}, r"shape \(5, 3\)"),
    ],
)
def test_errors_name_the_culprit(wrong: dict[str, Any], culprit: str) -> None:
    Instance(**GOOD)
    with pytest.raises(BanditError, match=culprit):
        Instance(**{**GOOD, **wrong})


@pytest.mark.parametrize("n_arms", [3, 10, 49, 1000])
def test_equal_shares_of_one_are_one_however_they_round(n_arms: int) -> None:
    # 49 times 1/49 is less than 1 in binary, ten times 0.1 less or 1 by the order of adding.
    means = np.full(n_arms, 0.5)
    bandit = Instance(means, 1 / n_arms, 0.0, Bernoulli())
    assert free_share(bandit.fairness) == 0 == lower_bound_4_8(bandit.fairness, 100)
    alone = Instance([0.5, 0.5], [1.0, 0.0], 1.0, Bernoulli())
    assert drift_bound(alone).tolist() == [1.0, 0.0]
    assert (drift_bound(replace(bandit, penalties=1.0)) == n_arms - 1).all()
    with pytest.raises(BanditError, match="the sum must be at most 1"):
        Instance(means, (1 + 1e-12) / n_arms, 0.0, Bernoulli())


def test_conditions_of_theorems_are_not_met_without_a_free_share() -> None:
    bandit = Instance([0.9, 0.5, 0.1], [0.5, 0.5, 0.0], [5.0, 5.0, 0.0], Bernoulli())
    first, second = conditions_4_2(bandit, 1e9)
    assert not first.per_arm[:2].any()
    assert not second.per_arm[2]


def test_sets_of_arms() -> None:
    # Gaps 0, 0.25, 0.5, 0.75, 0: A = Delta is critical, A < Delta is not.
    instance = Instance([1.0, 0.75, 0.5, 0.25, 1.0], 0.1, [0.0, 0.25, 0.25, 0.75, 9.0], Gaussian(1))
    assert instance.gaps.tolist() == [0.0, 0.25, 0.5, 0.75, 0.0]
    assert instance.optimal.tolist() == [True, False, False, False, True]
    assert instance.critical.tolist() == [False, True, False, True, False]
    assert instance.non_critical.tolist() == [False, False, True, False, False]
    assert instance.optimal_or_critical.tolist() == [True, True, False, True, True]


def test_a_rate_that_is_the_gap_in_decimals_is_the_gap() -> None:
    """On all pairs of hundredths, at means that are shifted and stretched too."""
    for shift, unit in ((0.0, 0.01), (0.0, 0.05), (3.0, 0.01), (-1.0, 0.01), (0.0, 10.0)):
        high, low = np.triu_indices(101)[::-1]
        means = np.round(shift + np.stack([high, low], axis=1) * unit, 9)
        bandit = Instance(means, 0.2, (unit * (high - low))[:, None] * [1, 1], Gaussian(1))
        assert (bandit.margins[:, 1] == 0).all()
        assert not bandit.non_critical.any()
        for limit in (log_constant, linear_constant, lower_constant):
            assert (limit(bandit) == 0).all()
        # A digit that people write is no rounding.
        apart = replace(bandit, penalties=np.maximum(bandit.penalties - 1e-9 * unit, 0.0))
        assert (apart.non_critical[:, 1] == (high > low)).all()


@pytest.mark.parametrize("tau", [0.0, 0.1])
def test_means_that_are_equal_in_decimals_are_equal(tau: float) -> None:
    bandit = Instance([0.3, 0.1 + 0.2, 0.1], tau, 0.0, Bernoulli())
    same = replace(bandit, means=[0.3, 0.3, 0.1])
    assert bandit.optimal.tolist() == [True, True, False]
    for function in (log_constant, lower_constant, lambda b: gap_dependent_bound(b, 1e4)):
        assert function(bandit) == pytest.approx(function(same))


def test_a_rate_that_is_never_paid_is_none() -> None:
    """An arm without a fraction costs its whole gap: 2/Delta for each log T."""
    bandit = Instance([0.9, 0.5], [0.2, 0.0], 0.3, Bernoulli())
    assert log_constant(bandit) == pytest.approx(2 / 0.4)
    assert log_constant(bandit) == log_constant(replace(bandit, penalties=0.0))
    assert predicted_regret(bandit, 1e24) / np.log(1e24) == pytest.approx(5.0)


def test_penalties_alone_may_vary_by_replicate() -> None:
    instance = Instance([0.9, 0.5], 0.25, [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], Gaussian(1))
    assert instance.n_replicates == 3
