"""The loops that skip arms, beside the one that looks at all, and where each is chosen."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import POLICIES, Arm, Bernoulli, Gaussian, Hints, Instance, Policy
from penalized_bandits.engine import simulate as engine
from penalized_bandits.engine.simulate import Engine, simulate_part
from strategies import ANY, Request, families, random_instance, random_tuning


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_long_runs_of_many_arms(policies: list[str], data: st.DataObject, seed: int) -> None:
    """Loops that skip arms pull what lanes pull; the oracle would be slow."""
    skips = [policy for policy in policies if engine.loops_for(POLICIES[policy])[1:]]
    policy, rng = data.draw(st.sampled_from(skips)), np.random.default_rng(seed)
    family = data.draw(families(policy))
    n_arms = int(rng.choice([2, 7, 40, 118, 300]))
    horizon, instance = 12 * n_arms + 200, random_instance(rng, family, n_arms, 2)
    tuning = random_tuning(rng, policy, horizon)
    request = Request(policy, instance, horizon, 2, seed, tuning, "n")
    lanes = request.play(engine="lanes", checkpoints=[horizon])
    for loop in engine.loops_for(POLICIES[policy])[1:]:
        other = request.play(engine=loop, checkpoints=[horizon])
        for name in ("pulls", "max_deficits", "reward_sums"):
            np.testing.assert_array_equal(getattr(other, name), getattr(lanes, name))


def test_the_loop_is_chosen_by_size() -> None:
    few, many = (Instance(np.full(k, 0.5), 0.0, 0.0, Bernoulli()) for k in (20, 5000))
    ucb1, choose = POLICIES["ucb1"], engine._engine_for
    falling = Policy("falling", index=lambda arm: arm.mean - arm.radius)
    assert choose(POLICIES["kl_ucb"], few, 100) == "lazy"
    assert choose(ucb1, few, 4) == choose(ucb1, many, 8) == "leader"
    assert choose(ucb1, few, 100) == choose(ucb1, many, 100) == "lanes"
    assert choose(falling, few, 1) == "lanes"


def nothing_yet(arm: Arm) -> float:
    return arm.mean if arm.mean >= 0.99 else -math.inf


def never_sure(arm: Arm, value: float) -> bool:
    return arm.mean > value and False


@pytest.mark.parametrize("engine", ["lanes", "leader", "lazy", "plain"])
def test_of_indices_that_are_all_minus_infinity_the_first_is_pulled(engine: Engine) -> None:
    hints = Hints(index_is_nondecreasing=True, index_exceeds=never_sure)
    policy = Policy("nothing_yet", index=nothing_yet, hints=hints)
    instance = Instance([0.3, 0.4, 0.5], 0.0, 0.0, Gaussian(0.01))
    run = simulate_part(policy, instance, 300, replicates=1, engine=engine)
    assert run.pulls[0, -1].tolist() == [298, 1, 1]
