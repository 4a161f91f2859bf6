"""The loops that skip arms: what lets them, and where each is chosen."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import POLICIES, Bernoulli, Gaussian, Instance
from penalized_bandits.engine import _jobs as jobs
from penalized_bandits.engine import simulate as engine
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import Engine, simulate_part
from penalized_bandits.policies.base import Arm, Hints, Policy
from strategies import ANY, Request, families, random_instance, random_tuning


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_long_runs_of_many_arms(policies: list[str], data: st.DataObject, seed: int) -> None:
    """Loops that skip arms, blocks of any size, pull what lanes pull; the oracle would be slow."""
    with_index = [policy for policy in policies if POLICIES[policy].choose is None]
    policy, rng = data.draw(st.sampled_from(with_index)), np.random.default_rng(seed)
    family = data.draw(families(policy))
    n_arms, size = (int(rng.choice(values)) for values in ([2, 7, 40, 118, 300], [3, 8, 64]))
    horizon, instance = 12 * n_arms + 200, random_instance(rng, family, n_arms, 2)
    tuning = random_tuning(rng, policy, horizon)
    request = Request(policy, instance, horizon, 2, seed, tuning, "n")
    lanes = request.play(engine="lanes", checkpoints=[horizon])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "block_size", lambda n_arms: min(n_arms, size))
        skipping = engine.loops_for(POLICIES[policy])[1:]
        others = [request.play(engine=loop, checkpoints=[horizon]) for loop in skipping]
    for name, other in product(("pulls", "max_deficits", "reward_sums"), others):
        np.testing.assert_array_equal(getattr(other, name), getattr(lanes, name))


def falling_index(arm: Arm) -> float:
    return arm.mean - arm.radius + (1.0 if arm.pulls < 2.0 else 0.0)


def test_a_policy_whose_scores_may_fall_is_scanned_in_full() -> None:
    policy = Policy("falling", index=falling_index)
    instance = Instance(np.linspace(0.2, 0.8, 50), 0.0, 0.0, Bernoulli())
    pulls = simulate_part(policy, instance, 3000, replicates=1, engine="blocks").pulls
    expected = np.bincount(trace(policy, instance, 3000).arms, minlength=50)
    np.testing.assert_array_equal(pulls[0, -1], expected)


def test_the_loop_is_chosen_by_size() -> None:
    few, many = (Instance(np.full(k, 0.5), 0.0, 0.0, Bernoulli()) for k in (20, 5000))
    ucb1 = POLICIES["ucb1"]
    falling = Policy("falling", index=falling_index)
    choose = engine._engine_for
    assert choose(POLICIES["kl_ucb"], few, 100) == "lazy"
    assert choose(ucb1, few, 100) == "lanes"
    assert choose(ucb1, few, 4) == "leader"
    assert choose(falling, few, 1) == "blocks"
    assert choose(ucb1, many, 100) == "blocks"
    assert choose(falling, many, 100) == "lanes"


def nothing_yet(arm: Arm) -> float:
    return arm.mean if arm.mean >= 0.99 else -math.inf


def never_sure(arm: Arm, value: float) -> bool:
    return arm.mean > value and False


@pytest.mark.parametrize("engine", ["lanes", "blocks", "lazy", "plain"])
def test_of_indices_that_are_all_minus_infinity_the_first_is_pulled(engine: Engine) -> None:
    hints = Hints(index_is_nondecreasing=True, index_exceeds=never_sure)
    policy = Policy("nothing_yet", index=nothing_yet, hints=hints)
    instance = Instance([0.3, 0.4, 0.5], 0.0, 0.0, Gaussian(0.01))
    run = simulate_part(policy, instance, 300, replicates=1, engine=engine)
    assert run.pulls[0, -1].tolist() == [298, 1, 1]
