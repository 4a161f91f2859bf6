"""Loops that skip arms beside that which looks at all; what formulas read in each of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penalized_bandits as pb
from penalized_bandits.engine import simulate as engine
from penalized_bandits.engine.simulate import Engine, simulate_part
from penalized_bandits.policies import get_policy
from strategies import ANY, Request, assert_as_the_oracle, families, random_instance, random_tuning


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


def fourth_power(arm: pb.Arm) -> float:
    return arm.mean + math.sqrt(-math.log(arm.n**-4) / (4 * arm.pulls))


def noisy(state: pb.Round) -> int:
    return int((state.means + state.noise).argmax())


def steadiest(state: pb.Round) -> int:
    best, choice = -np.inf, 0
    for k in range(len(state.pulls)):
        index = (state.log / state.pulls[k]) ** 0.5 - state.variances[k]
        if index > best:
            best, choice = index, k
    return choice


RISING = pb.Hints(index_is_nondecreasing=True, index_exceeds=lambda arm, x: steady(arm) > x)
COMPILES, HEIGHTS = pb.Hints(compiles=True), np.linspace(0.0, 1.0, 21)
QUARTIC = pb.Hints(index_is_nondecreasing=True, index_exceeds=lambda a, v: fourth_power(a) > v)
POLICIES = [
    *map(get_policy, ("ucb_v", "thompson_hard_threshold")),
    pb.Policy("steady", index=steady, hints=RISING),
    pb.Policy("steadiest", choose=steadiest, hints=COMPILES),
    pb.Policy("commits", index=cautious, tuning=pb.Tuning("m"), first_pulls="commit"),
    pb.Policy("noisy", choose=noisy, hints=COMPILES, draws=True, exploration=0.5),
    # A truth value is an arm.
    pb.Policy("truth", choose=lambda state: state.means[0] < state.means[1], hints=COMPILES),
    # Of a whole number of rounds compiled code takes a negative power as 0, and large ones wrap.
    pb.Policy("quartic", index=fourth_power, hints=QUARTIC),
    pb.Policy("quartic_leads", index=fourth_power, hints=pb.Hints(index_is_nondecreasing=True)),
    # Formulas meet no arm without pulls: a table is read at means alone, in spare lanes too.
    pb.Policy("table", index=lambda arm: HEIGHTS[int(20.0 * arm.mean)] + arm.radius),
    # A queue that is not served is empty everywhere.
    pb.Policy("unserved", index=lambda arm: arm.mean + arm.radius + arm.queue),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.id)
def test_every_loop_pulls_what_the_oracle_does(policy: pb.Policy) -> None:
    tuning = 5.0 if policy.tuning else None
    assert_as_the_oracle(Request(policy, BANDIT, 600, 3, 0, tuning, "n"))
