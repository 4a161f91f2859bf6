"""The registry of policies, their tunings, and how LFG differs from its original."""

from typing import Any

import pytest

from penalized_bandits import (
    POLICIES,
    BanditError,
    Deterministic,
    Instance,
    get_policy,
    simulate,
)
from penalized_bandits.engine.oracle import trace
from penalized_bandits.policies.explore_then_commit import pulls_per_arm


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


@pytest.mark.parametrize(
    ("policy", "regret", "path", "tradeoff"),
    # alpha = 0 and (1 - eta) tau_1 T; eta_0 = sqrt(T) and (1 - eta) T: Settings 1 and 2.
    [("fair_learn", 0.0, 450.0, [0.0, 50.0, 100.0]), ("lfg", 20.0, 7500.0, [1.0, 100.0, 10000.0])],
)
def test_tunings_of_the_settings(
    policy: str, regret: float, path: float, tradeoff: list[float]
) -> None:
    tuning: Any = POLICIES[policy].tuning
    assert tuning.regret(5, 400) == regret
    assert tuning.path(0.25, 600.0, 10000) == path
    assert tuning.tradeoff(3, 100.0, 10000) == pytest.approx(tradeoff)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("UCB", r"did you mean ucb1"),
        ("hard_treshold_ucb", "did you mean hard_threshold_ucb"),
        ("epsilon", r"there are hard_threshold_ucb, lfg, \w+, ucb1, \.\.\.$"),
    ],
)
def test_an_unknown_policy_is_answered_with_similar_ids(name: str, hint: str) -> None:
    with pytest.raises(BanditError, match=f"unknown policy '{name}': {hint}"):
        get_policy(name)


# --- By hand, with deterministic rewards ------------------------------------------------


def test_deficits_count_the_last_round_too() -> None:
    # tau_2 = 0.75 under UCB1, pulls [0, 1, 0, 1, 0, 0, 1, 0]: 0.75 t - N_2(t) is
    # 0.75, 0.5, 1.25, 1, 1.75, 2.5, 2.25, 3
    instance = Instance([0.5, 0.25], [0.125, 0.75], 0.0, Deterministic())
    for horizon, largest in ((1, 0.75), (2, 0.75), (3, 1.25), (7, 2.5), (8, 3.0)):
        assert trace("ucb1", instance, horizon).max_deficits == [0.0, largest]
        result = simulate("ucb1", instance, horizon, replicates=1)
        assert result.max_deficits[0, 0].tolist() == [0.0, largest]
