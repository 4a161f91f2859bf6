"""What ``simulate`` refuses or warns of, and that the error names what is wrong."""

import math
import warnings
from typing import Any

import numba
import numpy as np
import pytest

import penalized_bandits as pb
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.errors import LARGEST, MOST_ROUNDS, UnitRewardsWarning
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.streams import Stream
from penalized_bandits.live import Player

GOOD: dict[str, Any] = {
    "policy": "ucb1",
    "instance": pb.Instance([0.9, 0.5], 0.1, 0.5, pb.Gaussian(0.1)),
    "horizon": 10,
}

THREE_ROWS = pb.Instance(np.full((3, 2), 0.5), 0.1, 0.5, pb.Gaussian(0.1))


@pytest.mark.parametrize(
    ("wrong", "culprit"),
    [
        ({"policy": None}, "policy is None: it must be an id, my_module:policy or"),
        ({"instance": None}, "instance is None: it must be an Instance"),
        ({"horizon": 0}, "horizon is 0"),
        ({"horizon": MOST_ROUNDS + 1}, "horizon is 2147483648.*at most 2147483647.*32 bits"),
        ({"replicates": 0}, "replicates is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"batch": 0}, "batch is 0: it must be at least 1"),
        ({"seed": math.nan}, "seed is nan: it must be a whole number"),
        ({"checkpoints": []}, "checkpoints"),
        ({"checkpoints": 5}, "checkpoints is 5: it must be a list of increasing rounds"),
        ({"checkpoints": [0, 5]}, r"checkpoints\[0\] is 0: it must be at least 1"),
        ({"checkpoints": [6, 5]}, r"checkpoints is \[6, 5\]: it must be a list of increasing"),
        ({"checkpoints": [11]}, r"checkpoints\[0\] is 11: it must be at most 10"),
        ({"checkpoints": [[1], [2, 3]]}, r"checkpoints\[0\] is \[1\]: it must be a whole"),
        ({"tuning": 1.0}, "ucb1 has no tuning"),
        ({"policy": "lfg"}, "lfg needs its tuning parameter η₀"),
        ({"policy": "forgetting_threshold"}, "parameter h in rounds: see half_life"),
        ({"policy": "lfg", "tuning": 1.01 * LARGEST}, "η₀ of policy lfg is 1010.*at most 1e.12"),
        ({"policy": "fair_learn", "tuning": -1.0}, "α of policy fair_learn is -1"),
        ({"policy": "explore_then_commit", "tuning": 0.0}, "m of policy explore_then_commit"),
        ({"policy": "explore_then_commit", "tuning": 1 + 2**-52}, "must be a whole number"),
        ({"instance": THREE_ROWS, "replicates": 4}, "3 replicates, but 4"),
    ],
)
def test_errors_name_the_culprit(wrong: dict[str, Any], culprit: str) -> None:
    with pytest.raises(pb.BanditError, match=culprit):
        pb.simulate(**{**GOOD, **wrong})


def test_the_parts_of_a_workflow_are_checked() -> None:
    with pytest.raises(pb.BanditError, match="log_of is 'bogus'"):
        simulate_part(**GOOD, log_of="bogus")  # type: ignore[arg-type]
    for first in (-1, 2.5):
        with pytest.raises(pb.BanditError, match=f"first_replicate is {first}: it must be"):
            Stream(first_replicate=first)  # type: ignore[arg-type]


STARS = pb.Categorical(np.arange(1.0, 6.0), np.full((2, 5), 0.2))
NEED = [policy for policy, rule in pb.POLICIES.items() if rule.needs_unit_rewards]


def test_those_that_need_it_say_so() -> None:
    saying = {p for p, rule in pb.POLICIES.items() if "s outside [0, 1]" in rule.card.limitations}
    assert saying == set(NEED)


@pytest.mark.parametrize("policy", NEED)
@pytest.mark.parametrize(
    ("means", "rewards"),
    [([2.0, 4.2], pb.Gaussian(1.0)), ([-0.1, 0.5], pb.Deterministic()), ([3.0, 3.0], STARS)],
)
def test_those_outside_are_refused(policy: str, means: list[float], rewards: RewardFamily) -> None:
    bandit = pb.Instance(means, 0.1, 1.0, rewards)
    tuning = 1.0 if pb.POLICIES[policy].tuning else None
    with pytest.raises(pb.BanditError, match=rf"policy {policy} needs rewards in \[0, 1\].*scale"):
        pb.simulate(policy, bandit, 10, replicates=2, tuning=tuning)


@pytest.mark.parametrize("policy", NEED)
def test_the_player_refuses_stars(policy: str) -> None:
    player = Player(policy, [0.1, 0.1], 1.0, tuning=1.0 if pb.POLICIES[policy].tuning else None)
    arm = player.choose()
    with pytest.raises(pb.BanditError, match=rf"policy {policy} .* reward is 5: scale"):
        player.update(arm, 5)
    assert sum(player.outstanding) == 1


def test_gaussian_rewards_are_warned_of() -> None:
    bandit = pb.Instance([0.9, 0.5], 0.1, 1.0, pb.Gaussian(0.5))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for policy in ("lfg", "ucb1", "kl_ucb", "kl_ucb", "imed"):
            pb.simulate(policy, bandit, 10, replicates=3, tuning=1.0 if policy == "lfg" else None)
    assert {one.category for one in said} == {UnitRewardsWarning}
    # Compiling a kernel has Python forget what it has said.
    different = dict.fromkeys(str(one.message) for one in said)
    for words, policy in zip(different, ("kl_ucb", "imed"), strict=True):
        assert f"policy {policy} is made for rewards in [0, 1]" in words


def plain(state: pb.Round) -> int:
    return int(state.meens.argmax())  # type: ignore[attr-defined]


def index(arm: pb.Arm) -> float:
    return arm.meen + arm.radius  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (pb.Policy("a", index=index), "Arm has no field 'meen': its fields are n, mean, "),
        (pb.Policy("b", choose=plain), "Round has no field 'meens': its fields are n, pul"),
        (pb.Policy("c", choose=numba.njit(plain)), "Round has no field 'meens': its fiel"),
    ],
)
def test_a_wrong_field_is_answered_with_the_fields(policy: pb.Policy, message: str) -> None:
    bandit = pb.Instance([0.9, 0.5], 0.1, 1.0, pb.Gaussian(0.5))
    with pytest.raises(pb.BanditError, match=message) as raised:
        pb.simulate(policy, bandit, 10, replicates=8)
    assert raised.value.__suppress_context__
