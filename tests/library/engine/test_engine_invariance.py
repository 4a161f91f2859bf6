"""What a simulation does not depend on: threads, chunks, checkpoints, horizon, other policies."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import Bernoulli, Gaussian, Instance, Policy
from penalized_bandits.engine import _jobs as jobs
from penalized_bandits.engine._jobs import MAX_LANES
from penalized_bandits.engine.simulate import Simulation, simulate_part
from penalized_bandits.engine.streams import Stream
from strategies import ANY, families, random_instance, random_tuning

SEEDS = st.integers(0, 2**32 - 1)
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
