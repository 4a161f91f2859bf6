"""The compiled engine pulls the arms that the plain-Python oracle pulls, round by round.

On random bandits, and on numbers at the edge of what is allowed.
"""

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from golden_pulls import takes
from penalized_bandits import (
    Bernoulli,
    Deterministic,
    Gaussian,
    Hints,
    Instance,
    Policy,
    Round,
    get_policy,
)
from penalized_bandits.bandit.rewards import EXAMPLES, UnitIntervalFamily
from penalized_bandits.common.errors import LARGEST
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine import _jobs as jobs
from penalized_bandits.engine._jobs import MAX_LANES
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import LogOf, Simulation, simulate_part
from penalized_bandits.engine.streams import Stream
from strategies import (
    ANY,
    SIZES,
    TINY,
    Request,
    assert_as_the_oracle,
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
        instance = Instance(means, 0.99 / n_arms, penalties, Deterministic())
        for policy in ("hard_threshold_ucb", "soft_threshold_ucb"):
            assert_as_the_oracle(Request(policy, instance, 200, 1, seed, None, "n"), [0])


def test_normal_numbers_of_a_policy() -> None:
    instance = Instance([0.9, 0.6, 0.3], [0.1, 0.2, 0.3], [0.5, 1.0, 0.25], Bernoulli())
    assert_as_the_oracle(Request("thompson_hard_threshold", instance, 300, 3, 5, None, "n"))


LAWS = [law for law in EXAMPLES.values() if law.id != "categorical"]  # has means of its own
LAWS += [Gaussian(TINY), Gaussian(LARGEST)]


@st.composite
def extreme_bandits(draw: st.DrawFn) -> Instance:
    """Draw an instance whose numbers are at their limits, beside others that are not."""
    n_arms = draw(st.one_of(st.integers(1, 6), st.sampled_from([129, 140])))
    family = draw(st.sampled_from(LAWS))
    wide = not isinstance(family, UnitIntervalFamily)
    special = (0.0, 1.0, 0.5, TINY, 1 - 2**-53) + ((LARGEST, -LARGEST, -1.0) if wide else ())

    def values(*some: float) -> FloatArray:
        """Draw numbers, most of them special ones or equal to one another."""
        each = st.sampled_from(some) | st.floats(0, 1)
        return draw(arrays(float, n_arms, elements=each, fill=each))

    means, penalties = values(*special), values(0.0, TINY, 1e9, LARGEST)
    weights = values(0.0, TINY, 1e-9, 1.0)
    total = draw(st.sampled_from([0.0, 0.5, 1.0]))
    fairness = weights / max(math.fsum(weights), 1e-300) * total
    return Instance(means, fairness, penalties, family)


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(
    bandit=extreme_bandits(),
    horizon=st.integers(1, 60),
    log_of=st.sampled_from(["n", "n-1"]),
    data=st.data(),
)
def test_any_extremes(
    policies: list[str], bandit: Instance, horizon: int, log_of: LogOf, data: st.DataObject
) -> None:
    policy = data.draw(st.sampled_from(sorted(policies)))
    assume(takes(policy, bandit.rewards.id))
    tuning = random_tuning(np.random.default_rng(data.draw(SEEDS)), policy, horizon)
    rounds = horizon if bandit.n_arms < 100 else bandit.n_arms + horizon
    if get_policy(policy).needs_unit_rewards:
        bandit = replace(bandit, means=np.clip(bandit.means, 0.0, 1.0))
    assert_as_the_oracle(Request(policy, bandit, rounds, 1, 1, tuning, log_of))


def noisy(state: Round) -> int:
    best, choice = -np.inf, 0
    for k in range(len(state.pulls)):
        if state.means[k] + state.noise[k] > best:
            best, choice = state.means[k] + state.noise[k], k
    return choice


def test_a_policy_that_chooses_has_the_same_normal_numbers() -> None:
    policy = Policy("noisy", choose=noisy, hints=Hints(compiles=True), draws=True, exploration=0.5)
    instance = Instance([0.8, 0.5, 0.4], 0.0, 0.0, Gaussian(0.2))
    expected = np.bincount(trace(policy, instance, 300).arms, minlength=3)
    pulls = simulate_part(policy, instance, 300, replicates=1, engine="rounds").pulls
    np.testing.assert_array_equal(pulls[0, -1], expected)


ARRAYS = ("pulls", "max_deficits", "reward_sums")


def assert_equal(whole: Simulation, *parts: Simulation) -> None:
    for name in ARRAYS:
        joined = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(getattr(whole, name), joined, err_msg=name)


def part_of_instance(instance: Instance, first: int, count: int) -> Instance:
    """Return the instance of some replicates; row i belongs to replicate first + i."""
    means, penalties = (
        values[first : first + count] if values.ndim == 2 else values
        for values in (instance.means, instance.penalties)
    )
    return replace(instance, means=means, penalties=penalties)


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("policy", ["hard_threshold_ucb", "lfg"])
def test_threads(policy: str, threads: int) -> None:
    rng = np.random.default_rng(4)
    instance = random_instance(rng, "gaussian", 6, 200)
    common: dict[str, Any] = {"replicates": 200, "tuning": random_tuning(rng, policy, 150)}
    one, several = (simulate_part(policy, instance, 150, threads=n, **common) for n in (1, threads))
    assert_equal(one, several)


def test_a_thread_has_whole_vectors_of_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    chunks: list[tuple[int, int]] = []
    monkeypatch.setattr(jobs, "_run_lanes", lambda *given: chunks.append(given[3:5]))
    instance = Instance([0.5, 0.5], 0.1, 0.1, Gaussian(1.0))
    simulate_part("ucb1", instance, 10, replicates=20, engine="lanes", threads=2)
    assert sorted(chunks) == [(0, 16), (16, 4)]


HEIGHTS = np.linspace(0.0, 1.0, 21)


def test_formulas_meet_no_arm_without_pulls() -> None:
    """Not in the lanes either that fill the last vector: a table is read at means alone."""
    rule = Policy("table", index=lambda arm: HEIGHTS[int(20.0 * arm.mean)] + arm.radius)
    instance = Instance([0.9, 0.6, 0.5], 0.1, 0.35, Bernoulli())
    whole = simulate_part(rule, instance, 200, replicates=8, engine="lanes")
    few = simulate_part(rule, instance, 200, replicates=3, engine="lanes")
    np.testing.assert_array_equal(few.pulls, whole.pulls[:3])


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=20)
@given(data=st.data(), cuts=st.sets(st.integers(1, 269), max_size=4), seed=SEEDS)
def test_any_split(policies: list[str], data: st.DataObject, cuts: set[int], seed: int) -> None:
    policy = data.draw(st.sampled_from(sorted(policies)))
    rng = np.random.default_rng(seed)
    size = 270  # more than a chunk of lanes
    assert size > MAX_LANES
    instance = random_instance(rng, data.draw(families(policy)), 5, size)
    common: dict[str, Any] = {"tuning": random_tuning(rng, policy, 80)}
    whole = simulate_part(policy, instance, 80, replicates=size, stream=Stream(seed), **common)
    edges = [0, *sorted(cuts), size]
    parts = [
        simulate_part(policy, part, 80, replicates=b - a, stream=Stream(seed, (), a), **common)
        for a, b in pairwise(edges)
        for part in [part_of_instance(instance, a, b - a)]
    ]
    assert_equal(whole, *parts)


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=20)
@given(data=st.data(), checkpoints=st.sets(st.integers(1, 120), min_size=1), seed=SEEDS)
def test_any_checkpoints_and_a_shorter_horizon(
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
    # With the same tuning, a run of few rounds is the beginning of one of many.
    few = simulate_part(policy, instance, rounds[0], **common)
    np.testing.assert_array_equal(few.pulls, some.pulls[:, :1])
    np.testing.assert_array_equal(few.max_deficits, some.max_deficits[:, :1])
