"""The registry of policies, their tunings, and what tells LFG from its original."""

import math
from typing import cast

import pytest

from penalized_bandits.errors import BanditError
from penalized_bandits.policies import POLICIES, Arm, Policy, get_policy
from penalized_bandits.policies.explore_then_commit import pulls_per_arm


def test_lfg_original_is_lfg_with_fuller_queues_and_less_exploration() -> None:
    rule, original = POLICIES["lfg"], POLICIES["lfg_original"]
    assert (original.index, original.served) == (rule.index, rule.served)
    assert (rule.queues_since, original.queues_since) == (0, -1)
    # sqrt(3 log n / (2 N)) = sqrt(1.5 log n / N)
    assert (original.exploration, original.first_pulls) == (1.5, False)
    assert (rule.exploration, rule.first_pulls) == (2.0, True)
    # The bound of an arm never pulled counts as one.
    unpulled = Arm(
        n=1.0, mean=math.inf, radius=0.0, pulls=0.0, below=True, fairness=0.1, penalty=0.3,
        queue=0.125, tuning=4.0,
    )  # fmt: skip
    assert original.index(unpulled) == 4.125


@pytest.mark.parametrize(
    ("arms", "horizon", "m"),
    [
        (8, 8000, 208),  # (1000)^(2/3) (log 8000)^(1/3) = 100 * 2.0791... = 207.9...
        (5, 500, 40),  # 100^(2/3) (log 500)^(1/3) = 21.544 * 1.8383 = 39.6...
        (20, 30, 1),  # no more than T/K pulls
        (20, 3, 1),  # and never none
        (1, 1, 1),
    ],
)
def test_length_of_the_exploration(arms: int, horizon: int, m: float) -> None:
    assert pulls_per_arm(arms, horizon) == m


@pytest.mark.parametrize("symbol", ["alpha", "eta_0"])
def test_tunings_of_the_settings(symbol: str) -> None:
    # alpha = 0 and (1 - eta) tau_1 T; eta_0 = sqrt(T) and (1 - eta) T: Settings 1 and 2.
    tuning = POLICIES["fair_learn" if symbol == "alpha" else "lfg"].tuning
    assert tuning is not None
    assert tuning.regret is not None
    assert tuning.path is not None
    assert tuning.tradeoff is not None
    if symbol == "alpha":
        assert tuning.regret(5, 400) == 0.0
        assert tuning.path(0.25, 600.0, 10000) == 450.0
        assert tuning.tradeoff(5, 100.0, 10000) == [0.0, 25.0, 50.0, 75.0, 100.0]
    else:
        assert tuning.regret(5, 400) == 20.0
        assert tuning.path(0.25, 600.0, 10000) == 7500.0
        assert tuning.tradeoff(3, 100.0, 10000) == pytest.approx([1.0, 100.0, 10000.0])


def test_registry() -> None:
    assert all(policy.id == name for name, policy in POLICIES.items())
    assert {
        "hard_threshold_ucb",
        "lfg",
        "fair_learn",
        "ucb1",
        "soft_threshold_ucb",
        "explore_then_commit",
    } <= set(POLICIES)
    assert len({policy.label for policy in POLICIES.values()}) == len(POLICIES)
    assert get_policy("lfg") is get_policy(POLICIES["lfg"]) is POLICIES["lfg"]
    with pytest.raises(BanditError, match=r"unknown policy 'epsilon'.*hard_threshold_ucb"):
        get_policy("epsilon")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_tuning_checks(policy: Policy) -> None:
    if policy.tuning is None:
        assert policy.check_tuning(None) == 0.0
        with pytest.raises(BanditError, match=f"{policy.id} has no tuning"):
            policy.check_tuning(1.0)
        return
    assert policy.check_tuning(3) == 3.0
    for wrong in (None, -1.0, math.nan, math.inf, cast("float", "one")):
        with pytest.raises(BanditError, match=policy.id):
            policy.check_tuning(wrong)
