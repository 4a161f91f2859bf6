"""Loops that skip arms beside that which looks at all; the variance of rewards in each."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penalized_bandits as pb
from penalized_bandits.engine import simulate as engine
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import Engine, loops_for, simulate_part
from penalized_bandits.policies import get_policy
from strategies import ANY, Request, families, random_instance, random_tuning


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_long_runs_of_many_arms(policies: list[str], data: st.DataObject, seed: int) -> None:
    """Loops that skip arms pull what lanes pull; the oracle would be slow."""
    skips = [policy for policy in policies if engine.loops_for(pb.POLICIES[policy])[1:]]
    policy, rng = data.draw(st.sampled_from(skips)), np.random.default_rng(seed)
    family = data.draw(families(policy))
    n_arms = int(rng.choice([2, 7, 40, 118, 300]))
    horizon, instance = 12 * n_arms + 200, random_instance(rng, family, n_arms, 2)
    tuning = random_tuning(rng, policy, horizon)
    request = Request(policy, instance, horizon, 2, seed, tuning, "n")
    lanes = request.play(engine="lanes", checkpoints=[horizon])
    for loop in engine.loops_for(pb.POLICIES[policy])[1:]:
        other = request.play(engine=loop, checkpoints=[horizon])
        for name in ("pulls", "max_deficits", "reward_sums"):
            np.testing.assert_array_equal(getattr(other, name), getattr(lanes, name))


def test_the_loop_is_chosen_by_size() -> None:
    few, many = (pb.Instance(np.full(k, 0.5), 0.0, 0.0, pb.Bernoulli()) for k in (20, 5000))
    ucb1, choose = pb.POLICIES["ucb1"], engine._engine_for
    falling = pb.Policy("falling", index=lambda arm: arm.mean - arm.radius)
    assert choose(pb.POLICIES["kl_ucb"], few, 100) == "lazy"
    assert choose(ucb1, few, 4) == choose(ucb1, many, 8) == "leader"
    assert choose(ucb1, few, 100) == choose(ucb1, many, 100) == "lanes"
    assert choose(falling, few, 1) == "lanes"


def nothing_yet(arm: pb.Arm) -> float:
    return arm.mean if arm.mean >= 0.99 else -math.inf


def never_sure(arm: pb.Arm, value: float) -> bool:
    return arm.mean > value and False


@pytest.mark.parametrize("engine", ["lanes", "leader", "lazy", "plain"])
def test_of_indices_that_are_all_minus_infinity_the_first_is_pulled(engine: Engine) -> None:
    hints = pb.Hints(index_is_nondecreasing=True, index_exceeds=never_sure)
    policy = pb.Policy("nothing_yet", index=nothing_yet, hints=hints)
    instance = pb.Instance([0.3, 0.4, 0.5], 0.0, 0.0, pb.Gaussian(0.01))
    run = simulate_part(policy, instance, 300, replicates=1, engine=engine)
    assert run.pulls[0, -1].tolist() == [298, 1, 1]


BANDIT = pb.Instance([0.7, 0.6, 0.5, 0.45, 0.4], 0.1, 0.3, pb.Beta())


def steady(arm: pb.Arm) -> float:
    return arm.radius - arm.variance


def cautious(arm: pb.Arm) -> float:
    return arm.mean - arm.variance + (arm.penalty if arm.below else 0.0)


def steadiest(state: pb.Round) -> int:
    best, choice = -np.inf, 0
    for k in range(len(state.pulls)):
        index = (state.log / state.pulls[k]) ** 0.5 - state.variances[k]
        if index > best:
            best, choice = index, k
    return choice


RISING = pb.Hints(index_is_nondecreasing=True, index_exceeds=lambda arm, x: steady(arm) > x)
POLICIES = [
    get_policy("ucb_v"),
    pb.Policy("steady", index=steady, hints=RISING),
    pb.Policy("steadiest", choose=steadiest, hints=pb.Hints(compiles=True)),
    pb.Policy("commits", index=cautious, tuning=pb.Tuning("m"), first_pulls="commit"),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.id)
def test_every_loop_has_that_of_the_oracle(policy: pb.Policy) -> None:
    tuning = 5.0 if policy.tuning else None
    played = [trace(policy, BANDIT, 600, replicate=r, tuning=tuning).arms for r in range(3)]
    expected = [np.bincount(arms, minlength=BANDIT.n_arms) for arms in played]
    for loop in loops_for(policy):
        run = simulate_part(policy, BANDIT, 600, replicates=3, tuning=tuning, engine=loop)
        np.testing.assert_array_equal(run.pulls[:, -1], expected, err_msg=loop)


def test_it_is_that_of_the_rewards_seen() -> None:
    seen: list[Any] = []
    spy = pb.Policy("spy", choose=lambda state: seen.append(state.variances) or state.n % 5)
    played = trace(spy, BANDIT, 200)
    for k in range(BANDIT.n_arms):
        rewards = [x for arm, x in zip(played.arms[:-1], played.rewards, strict=False) if arm == k]
        assert seen[-1][k] == pytest.approx(np.var(rewards), rel=1e-12)
