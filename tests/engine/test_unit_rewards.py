"""Rewards outside [0, 1] and fields that there are not: errors, and a warning."""

import warnings

import numba
import numpy as np
import pytest

from penalized_bandits import (
    POLICIES,
    Arm,
    BanditError,
    Categorical,
    Deterministic,
    Gaussian,
    Instance,
    Policy,
    Round,
    simulate,
)
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.errors import UnitRewardsWarning
from penalized_bandits.experiments.base import Case, Context, Experiment, PolicyRun, Readings
from penalized_bandits.live import Player

STARS = Categorical(np.arange(1.0, 6.0), np.full((2, 5), 0.2))
NEED = [policy for policy, rule in POLICIES.items() if rule.needs_unit_rewards]


def test_those_that_need_it_say_so() -> None:
    saying = {p for p, rule in POLICIES.items() if "s outside [0, 1]" in rule.card.limitations}
    assert saying == set(NEED)


@pytest.mark.parametrize("policy", NEED)
@pytest.mark.parametrize(
    ("means", "rewards"),
    [([2.0, 4.2], Gaussian(1.0)), ([-0.1, 0.5], Deterministic()), ([3.0, 3.0], STARS)],
)
def test_rewards_outside_are_refused(
    policy: str, means: list[float], rewards: RewardFamily
) -> None:
    bandit, tuning = Instance(means, 0.1, 1.0, rewards), 1.0 if POLICIES[policy].tuning else None
    with pytest.raises(BanditError, match=rf"policy {policy} needs rewards in \[0, 1\].*scale"):
        simulate(policy, bandit, 10, replicates=2, tuning=tuning)


def test_the_workflow_refuses_before_a_job() -> None:
    rule = POLICIES["kl_ucb"]
    means, run = np.array([2.0, 4.2]), PolicyRun("kl_ucb", rule, (10,))
    case = Case("a", means, np.full(2, 0.1), Gaussian(1.0), (run,))
    experiment = Experiment("e", "e", object, lambda *_: [case], ())
    with pytest.raises(BanditError, match="policy kl_ucb needs rewards in"):
        experiment.all_cases(None, Context(0, Readings(), 0, 1))


@pytest.mark.parametrize("policy", NEED)
def test_the_player_refuses_stars(policy: str) -> None:
    player = Player(policy, [0.1, 0.1], 1.0, tuning=1.0 if POLICIES[policy].tuning else None)
    arm = player.choose()
    with pytest.raises(BanditError, match=rf"policy {policy} .* reward is 5: scale"):
        player.update(arm, 5)
    assert sum(player.outstanding) == 1


def test_gaussian_rewards_are_warned_of() -> None:
    bandit = Instance([0.9, 0.5], 0.1, 1.0, Gaussian(0.5))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for policy in ("lfg", "ucb1", "kl_ucb", "kl_ucb", "imed"):
            simulate(policy, bandit, 10, replicates=3, tuning=1.0 if policy == "lfg" else None)
    assert {one.category for one in said} == {UnitRewardsWarning}
    # Compiling a kernel has Python forget what it has said.
    different = dict.fromkeys(str(one.message) for one in said)
    for words, policy in zip(different, ("kl_ucb", "imed"), strict=True):
        assert f"policy {policy} is made for rewards in [0, 1]" in words


def plain(state: Round) -> int:
    return int(state.meens.argmax())  # type: ignore[attr-defined]


def index(arm: Arm) -> float:
    return arm.meen + arm.radius  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Policy("a", index=index), "Arm has no field 'meen': its fields are n, mean, "),
        (Policy("b", choose=plain), "Round has no field 'meens': its fields are n, pul"),
        (Policy("c", choose=numba.njit(plain)), "Round has no field 'meens': its fiel"),
    ],
)
def test_a_wrong_field_is_answered_with_the_fields(policy: Policy, message: str) -> None:
    bandit = Instance([0.9, 0.5], 0.1, 1.0, Gaussian(0.5))
    with pytest.raises(BanditError, match=message) as raised:
        simulate(policy, bandit, 10, replicates=8)
    assert raised.value.__suppress_context__
