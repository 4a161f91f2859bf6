"""The compiled engine pulls the arms that the plain-Python oracle pulls, round by round.

On random bandits, and on numbers at the edge of what is allowed.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import penalized_bandits as pb
from golden_pulls import takes
from penalized_bandits.engine._jobs import MAX_LANES
from penalized_bandits.engine.simulate import LogOf, simulate_part
from penalized_bandits.engine.streams import Stream
from strategies import (
    ANY,
    SIZES,
    Request,
    assert_as_the_oracle,
    extreme_bandits,
    families,
    random_instance,
    random_tuning,
    requests,
)

# The oracle takes about 2 microseconds for each arm of each round.
ORACLE_BUDGET = 30_000
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(data=st.data())
def test_any_simulation(policies: list[str], data: st.DataObject) -> None:
    request = data.draw(requests(policies, st.one_of(SIZES, st.sampled_from([118, 300]))))
    step = max(1, request.replicates * request.instance.n_arms * request.horizon // ORACLE_BUDGET)
    # The last replicate too.
    some = {*range(0, request.replicates, step), request.replicates - 1}
    assert_as_the_oracle(request, sorted(some))


def test_ties_made_by_rounding() -> None:
    # 0.1 + 0.2 exceeds 0.3 by one unit in the last place: whether the indices of two such
    # arms tie depends on the last bit of the radius, in engine and oracle alike.
    rng = np.random.default_rng(0)
    for seed in range(20):
        n_arms = int(rng.integers(2, 6))
        means, penalties = rng.integers(0, 4, (2, n_arms)) / 10
        instance = pb.Instance(means, 0.99 / n_arms, penalties, pb.Deterministic())
        for policy in ("hard_threshold_ucb", "soft_threshold_ucb"):
            assert_as_the_oracle(Request(policy, instance, 200, 1, seed, None, "n"), [0])


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(
    bandit=extreme_bandits(st.integers(1, 6) | st.sampled_from([129, 140])),
    horizon=st.integers(1, 60),
    log_of=st.sampled_from(["n", "n-1"]),
    data=st.data(),
)
def test_any_extremes(
    policies: list[str], bandit: pb.Instance, horizon: int, log_of: LogOf, data: st.DataObject
) -> None:
    policy = data.draw(st.sampled_from(sorted(policies)))
    assume(takes(policy, bandit.rewards.id))
    tuning = random_tuning(np.random.default_rng(data.draw(SEEDS)), policy, horizon)
    rounds = horizon if bandit.n_arms < 100 else bandit.n_arms + horizon
    if pb.get_policy(policy).needs_unit_rewards:
        bandit = replace(bandit, means=np.clip(bandit.means, 0.0, 1.0))
    assert_as_the_oracle(Request(policy, bandit, rounds, 1, 1, tuning, log_of))


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=20)
@given(data=st.data(), cuts=st.sets(st.integers(1, 269), max_size=4), seed=SEEDS)
def test_any_split_is_one_run(
    policies: list[str], data: st.DataObject, cuts: set[int], seed: int
) -> None:
    policy = data.draw(st.sampled_from(sorted(policies)))
    rng = np.random.default_rng(seed)
    size = 270  # more than a chunk of lanes
    assert size > MAX_LANES
    instance = random_instance(rng, data.draw(families(policy)), 5, size)
    common: dict[str, Any] = {"tuning": random_tuning(rng, policy, 80)}
    threads = data.draw(st.sampled_from([1, 2, 8]))
    whole = simulate_part(
        policy, instance, 80, replicates=size, stream=Stream(seed), threads=threads, **common
    )
    rows = [np.broadcast_to(x, (size, 5)) for x in (instance.means, instance.penalties)]
    for a, b in pairwise([0, *sorted(cuts), size]):
        means, penalties = (x[a:b] for x in rows)
        part = replace(instance, means=means, penalties=penalties)
        run = simulate_part(
            policy, part, 80, replicates=b - a, stream=Stream(seed, (), a), **common
        )
        for name in ("pulls", "max_deficits", "reward_sums"):
            expected = getattr(whole, name)[a:b]
            np.testing.assert_array_equal(getattr(run, name), expected, err_msg=name)


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=20)
@given(data=st.data(), checkpoints=st.sets(st.integers(1, 120), min_size=1), seed=SEEDS)
def test_any_checkpoints(
    policies: list[str], data: st.DataObject, checkpoints: set[int], seed: int
) -> None:
    policy = data.draw(st.sampled_from(sorted(policies)))
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, "beta", 4, 5)
    tuning = random_tuning(rng, policy, 120)
    common: dict[str, Any] = {"replicates": 5, "stream": Stream(seed), "tuning": tuning}
    every = simulate_part(policy, instance, 120, checkpoints=range(1, 121), **common)
    rounds = sorted({*checkpoints, 120})
    some = simulate_part(policy, instance, 120, checkpoints=sorted(checkpoints), **common)
    assert some.checkpoints.tolist() == rounds
    at = np.array(rounds) - 1
    np.testing.assert_array_equal(some.pulls, every.pulls[:, at])
    np.testing.assert_array_equal(some.max_deficits, every.max_deficits[:, at])
