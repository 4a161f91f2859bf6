"""Every registered policy keeps the contract, and the contract detects one that does not."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from numba import njit

from penalized_bandits import (
    POLICIES,
    Arm,
    BanditError,
    Bernoulli,
    Hints,
    Instance,
    Policy,
    Round,
    Tuning,
    simulate,
)
from penalized_bandits.engine.contract import CHECKS, check
from strategies import EACH


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("policy", EACH)
def test_every_policy_keeps_it(policy: str, name: str) -> None:
    found = check(POLICIES[policy], name)
    assert found.passed, found.detail
    assert found.detail


def _index(arm: Arm) -> float:
    return arm.mean + arm.radius


def _waves(arm: Arm) -> float:
    # Rises and falls as rounds go by although it says that it rises.
    return arm.mean + math.sin(arm.n * arm.fairness * 300.0 + arm.mean * 7.0)


CALLS: list[int] = []


def _remembers_outside(state: Round) -> int:
    CALLS.append(state.n)
    return len(CALLS) // 7 % len(state.pulls)


def _raises(state: Round) -> int:
    return {}["arm"]


GOOD = Policy("mine", index=_index, ignores_penalties=True)
sample = partial(pytest.param, marks=pytest.mark.sample)


@pytest.mark.parametrize(
    ("policy", "name", "said"),
    [
        sample(replace(GOOD, index=_waves, hints=POLICIES["ucb1"].hints), "many arms", "promise"),
        (Policy("a", choose=_remembers_outside), "chunks agree", "split"),
        (Policy("a", choose=_remembers_outside), "deterministic", "two runs with one"),
        (Policy("a", choose=_raises), "no pulls lost", "failed: KeyError: 'arm'"),
        sample(
            Policy("a", index=lambda arm: _index(arm) + arm.fairness),
            "without penalties",
            "fairness fractions",
        ),
        (replace(POLICIES["kl_hard_threshold"], classical="ucb1"), "without penalties", "not ucb1"),
        (replace(GOOD, tuning=Tuning("x", lambda arms, horizon: -1.0)), "tuning rules", "finite"),
        (replace(GOOD, tuning=Tuning(symbol="x")), "no pulls lost", "has no rule"),
    ],
)
def test_a_broken_policy_fails(policy: Policy, name: str, said: str) -> None:
    found = check(policy, name)
    assert not found.passed
    assert said in found.detail


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"choose": _raises}, "either an index or choose"),
        ({"draws": True, "hints": Hints(index_is_nondecreasing=True)}, "nondecreasing"),
        ({"memory": 1}, "choose by themselves"),
        ({"index": partial(_waves)}, r"index of policy \w+ is functools.partial.*def or lambda"),
        ({"urgency": 3}, "urgency of policy .* is 3: it must be a function"),
    ],
)
def test_contradictions_are_told(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BanditError, match=said):
        replace(GOOD, **changes)


def test_an_index_that_the_user_compiled_is_taken() -> None:
    compiled = replace(GOOD, index=njit(GOOD.index))
    instance = Instance([0.9, 0.6], 0.2, 0.4, Bernoulli())
    ours, theirs = (simulate(policy, instance, 100).pulls for policy in (GOOD, compiled))
    np.testing.assert_array_equal(ours, theirs)


def test_noise_scales_with_the_exploration() -> None:
    assert replace(GOOD, scaled_by_noise=True).exploration_for(0.5) == 0.5
    assert GOOD.exploration_for(0.5) == 2.0
    assert math.isinf(replace(GOOD, scaled_by_noise=True).exploration_for(math.inf))
