"""Numbers at the edge of what is allowed, and beyond, in instances, engine and oracle."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits.checks import LARGEST, LEAST_SLACK, MOST_ROUNDS
from penalized_bandits.engine.simulate import LogOf, simulate
from penalized_bandits.errors import BanditError
from penalized_bandits.instances import Instance
from penalized_bandits.oracle import trace
from penalized_bandits.policies import POLICIES
from penalized_bandits.rewards import (
    Bernoulli,
    Beta,
    Categorical,
    Deterministic,
    Gaussian,
    RewardFamily,
)
from penalized_bandits.typing import FloatArray

TINY = math.ulp(0.0)
"""The smallest number above 0."""
FAMILIES: tuple[RewardFamily, ...] = (
    Gaussian(0.0),
    Gaussian(0.3),
    Bernoulli(),
    Beta(),
    Deterministic(),
)
UNBOUNDED: tuple[RewardFamily, ...] = (
    Gaussian(TINY),
    Gaussian(1.0),
    Gaussian(LARGEST),
    Deterministic(),
)


def assert_same(
    policy: str,
    instance: Instance,
    horizon: int,
    *,
    tuning: float | None = None,
    replicates: int = 1,
    log_of: LogOf = "n",
) -> None:
    """Compare all loops that can play it with the oracle after every round, to the last bit."""
    common: dict[str, Any] = {"seed": 1, "tuning": tuning, "log_of": log_of}
    runs = [
        simulate(
            policy,
            instance,
            horizon,
            replicates=replicates,
            checkpoints=range(1, horizon + 1),
            engine=loop,
            **common,
        )
        for loop in (("lanes", "blocks") if POLICIES[policy].choose is None else ("rounds",))
    ]
    for replicate in range(replicates):
        played = trace(policy, instance, horizon, replicate=replicate, **common)
        pulled = np.eye(instance.n_arms, dtype=np.int64)[played.arms]
        sums = (pulled * np.array(played.rewards)[:, None]).cumsum(axis=0)[-1]
        for run in runs:
            np.testing.assert_array_equal(run.pulls[replicate], pulled.cumsum(axis=0))
            np.testing.assert_array_equal(run.max_deficits[replicate, -1], played.max_deficits)
            np.testing.assert_array_equal(run.reward_sums[replicate], sums)
    for run in runs:
        assert np.isfinite(run.reward_sums).all()
        assert np.isfinite(run.max_deficits).all()


def tunings(policy: str) -> list[float | None]:
    """Return the least, the largest and a usual tuning."""
    rule = POLICIES[policy]
    if rule.tuning is None:
        return [None]
    return [1.0, 3.0, LARGEST] if rule.commits else [0.0, TINY, 3.0, LARGEST]


NEAR_ONE = 1 - 2 * LEAST_SLACK
CORNERS: dict[str, tuple[list[float], Any, Any, int]] = {
    "one arm": ([0.5], 0.5, 0.5, 30),
    "one arm, all owed": ([0.5], NEAR_ONE, 1e9, 30),
    "one round": ([0.2, 0.8], 0.3, 0.5, 1),
    "as many rounds as arms": ([0.2, 0.8, 0.5], 0.3, 0.5, 3),
    "more arms than rounds": (np.linspace(0, 1, 20).tolist(), 0.04, 0.5, 7),
    "nothing owed": ([0.5, 0.4, 0.5], 0.0, 1e9, 90),
    "next to nothing owed": ([0.5, 0.4, 0.5], TINY, 1e9, 90),
    "all owed": ([0.5, 0.4, 0.6], [0.5, 0.3, NEAR_ONE - 0.8], [1e9, 0.0, 1.0], 90),
    "all equal": ([0.5] * 6, NEAR_ONE / 6, 0.25, 90),
    "all certain": ([0.0, 1.0, 1.0, 0.0], 0.2, 0.5, 90),
    "all zero": ([0.0] * 5, 0.0, 0.0, 40),
    "next to zero": ([TINY, 0.0, 1e-300], 0.3, TINY, 60),
    "largest rates": ([0.5, 0.4, 0.6], 0.2, [LARGEST, 0.0, 1e9], 60),
    "arms in blocks, equal": ([0.5] * 150, NEAR_ONE / 150, 1e9, 320),
    "arms in blocks, nothing owed": (np.tile([0.25, 0.75], 75).tolist(), 0.0, 0.0, 320),
}


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_corners(policy: str, corner: str) -> None:
    means, fairness, penalties, horizon = CORNERS[corner]
    # The oracle takes a millisecond for 500 arms and rounds.
    few = len(means) * horizon > 5000
    for family in FAMILIES[1:3] if few else FAMILIES:
        instance = Instance(means, fairness, penalties, family)
        for tuning in tunings(policy)[-2:] if few else tunings(policy):
            assert_same(policy, instance, horizon, tuning=tuning)


@pytest.mark.parametrize("policy", POLICIES)
def test_largest_means(policy: str) -> None:
    for family in UNBOUNDED:
        for rate in (0.0, TINY, LARGEST):
            instance = Instance([LARGEST, -LARGEST, TINY, -0.0], 0.2, rate, family)
            for tuning in tunings(policy):
                assert_same(policy, instance, 40, tuning=tuning, replicates=2)


@st.composite
def extreme_vector(draw: st.DrawFn, n_arms: int, special: tuple[float, ...]) -> FloatArray:
    """Draw numbers, most of them special ones or equal to one another."""
    values = st.one_of(st.sampled_from(special), st.floats(0, 1))
    if draw(st.booleans()):
        return np.full(n_arms, draw(values))
    pool = draw(st.lists(values, min_size=1, max_size=4))
    chosen = draw(st.lists(st.integers(0, len(pool) - 1), min_size=n_arms, max_size=n_arms))
    return np.array(pool)[chosen]


@st.composite
def extreme_bandits(draw: st.DrawFn) -> Instance:
    """Draw an instance whose numbers are at their limits, beside others that are not."""
    n_arms = draw(st.one_of(st.integers(1, 6), st.sampled_from([129, 140])))
    family = draw(st.sampled_from(FAMILIES + UNBOUNDED))
    wide = isinstance(family, (Gaussian, Deterministic))
    special = (0.0, 1.0, 0.5, TINY, 1 - 2**-53) + ((LARGEST, -LARGEST, -1.0) if wide else ())
    means = draw(extreme_vector(n_arms, special))
    penalties = draw(extreme_vector(n_arms, (0.0, TINY, 1e9, LARGEST)))
    weights = draw(extreme_vector(n_arms, (0.0, TINY, 1e-9, 1.0)))
    total = draw(st.sampled_from([0.0, 0.5, 1 - 1e-12]))
    fairness = weights / max(math.fsum(weights), 1e-300) * total
    return Instance(means, fairness, penalties, family)


@settings(max_examples=120)
@given(
    bandit=extreme_bandits(),
    policy=st.sampled_from(sorted(POLICIES)),
    horizon=st.integers(1, 60),
    log_of=st.sampled_from(["n", "n-1"]),
    data=st.data(),
)
def test_any_extremes(
    bandit: Instance, policy: str, horizon: int, log_of: LogOf, data: st.DataObject
) -> None:
    tuning = data.draw(st.sampled_from(tunings(policy)))
    rounds = horizon if bandit.n_arms < 100 else bandit.n_arms + horizon
    assert_same(policy, bandit, rounds, tuning=tuning, log_of=log_of)


GOOD: dict[str, Any] = {
    "means": [0.9, 0.5],
    "fairness": 0.1,
    "penalties": 0.5,
    "rewards": Gaussian(0.1),
}
BEYOND = 1.01 * LARGEST


@pytest.mark.parametrize(
    ("wrong", "culprit"),
    [
        ({"means": [BEYOND, 0]}, "a value of means is 1.01e.12: at most 1e.12"),
        ({"means": [0, -BEYOND]}, "a value of means is -1.01e.12"),
        ({"means": [0, -math.inf]}, "a value of means is not finite"),
        ({"means": ["high", "low"]}, "means must be numbers"),
        ({"means": [[0.1, 0.2], [0.3]]}, "means must be numbers in rows of one length"),
        ({"means": None}, "a value of means is not finite|means must be numbers"),
        ({"penalties": BEYOND}, "a value of penalties is 1.01e.12"),
        ({"penalties": [0.1, math.inf]}, "a value of penalties is not finite"),
        ({"penalties": 10**400}, "penalties must be numbers"),
        ({"fairness": math.nan}, "a value of fairness is not finite"),
        ({"fairness": -TINY}, "fairness holds -4.94066e-324: every value must be >= 0"),
        ({"fairness": [1.0, 0.0]}, "fractions sum to 1: the sum must be below 1"),
        ({"fairness": [0.5, 0.5]}, "fractions sum to 1"),
        ({"fairness": [0.5, 0.5 - 2**-54]}, "fractions sum to 1"),
        ({"fairness": [0.5, 0.5 + 2**-53]}, "fractions sum to 1"),
        ({"fairness": [0.75, 0.75]}, "fractions sum to 1.5"),
    ],
)
def test_instances_refuse(wrong: dict[str, Any], culprit: str) -> None:
    Instance(**GOOD)
    with pytest.raises(BanditError, match=culprit):
        Instance(**{**GOOD, **wrong})


@pytest.mark.parametrize("n_arms", [3, 7, 10, 49, 107, 1000])
def test_equal_shares_of_one_are_one_however_they_round(n_arms: int) -> None:
    # 49 times 1/49 is less than 1 in binary, ten times 0.1 less or 1 by the order of adding.
    means = np.full(n_arms, 0.5)
    with pytest.raises(BanditError, match="fractions sum to 1"):
        Instance(means, 1 / n_arms, 0.0, Bernoulli())
    just_below = Instance(means, (1 - 1e-12) / n_arms, 0.0, Bernoulli())
    assert 0 < 1 - just_below.fairness.sum() < 1.1e-12


@pytest.mark.parametrize(
    "make",
    [
        lambda: Gaussian(BEYOND),
        lambda: Gaussian(math.nan),
        lambda: Gaussian(-TINY),
        lambda: Categorical(np.array([0.0, BEYOND]), np.array([[0.5, 0.5]])),
        lambda: Categorical(np.array([0.0, 1.0]), np.array([[math.inf, 0.5]])),
        lambda: Categorical(np.array([0.0, 1.0]), np.array([[math.nan, 1.0]])),
        lambda: Categorical(np.array([0.0, 1.0]), np.array([[-TINY, 1.0]])),
        lambda: Categorical(np.zeros(0), np.zeros((2, 0))),
        lambda: Instance([0.5, 1 + 2**-52], 0.1, 0.0, Bernoulli()),
        lambda: Instance([0.5, -TINY], 0.1, 0.0, Beta()),
    ],
)
def test_reward_laws_refuse(make: Any) -> None:
    with pytest.raises(BanditError):
        make()


@pytest.mark.parametrize(
    ("wrong", "culprit"),
    [
        ({"horizon": 10.0}, "horizon is 10.0: it must be a whole number"),
        ({"horizon": math.nan}, "horizon is nan: it must be a whole number"),
        ({"horizon": "10"}, "horizon is '10': it must be a whole number"),
        ({"horizon": MOST_ROUNDS + 1}, "horizon is 2147483648.*at most 2147483647.*32 bits"),
        ({"horizon": 10**30}, "horizon is 1000000000000000000000000000000"),
        ({"checkpoints": [2.0, 5.0]}, "checkpoints .2.0, 5.0. must be whole numbers"),
        ({"checkpoints": [2.5]}, "must be whole numbers"),
        ({"checkpoints": [math.nan]}, "must be whole numbers"),
        ({"checkpoints": [2**70]}, "must be whole numbers"),
        ({"checkpoints": np.array([5, 3], dtype=np.uint64)}, "must increase"),
        ({"checkpoints": np.array([3, 2**63 + 5], dtype=np.uint64)}, "must increase"),
        ({"replicates": 2.5}, "replicates is 2.5: it must be a whole number"),
        ({"replicates": 2**31}, "replicates is 2147483648"),
        ({"first_replicate": 2**63}, "first_replicate is 9223372036854775808"),
        ({"first_replicate": MOST_ROUNDS - 9, "replicates": 10}, "first_replicate is 2147483638"),
        ({"threads": 1.5}, "threads is 1.5"),
        ({"seed": 1.5}, "seed is 1.5: it must be a whole number"),
        ({"seed": math.nan}, "seed is nan"),
        ({"engine": "tapes"}, "engine is 'tapes': it must be 'lanes', 'blocks', .* or None"),
        ({"engine": "rounds"}, "policy ucb1 has an index: engine 'rounds' cannot"),
        (
            {"policy": "pond", "tuning": 1.0, "engine": "lanes"},
            "policy pond chooses by itself: engine 'lanes' cannot",
        ),
        ({"policy": "lfg", "tuning": BEYOND}, "η₀ of policy lfg is 1010000000000.0.*at most 1e.12"),
        ({"policy": "fair_learn", "tuning": -TINY}, "α of policy fair_learn is -5e-324"),
        ({"policy": "explore_then_commit", "tuning": math.inf}, "m of policy explore_then"),
        ({"policy": "explore_then_commit", "tuning": 1 + 2**-52}, "whole number of pulls"),
    ],
)
def test_simulations_refuse(wrong: dict[str, Any], culprit: str) -> None:
    good: dict[str, Any] = {"policy": "ucb1", "instance": Instance(**GOOD), "horizon": 10}
    with pytest.raises(BanditError, match=culprit):
        simulate(**{**good, **wrong})


def test_whole_numbers_of_any_type_are_taken() -> None:
    instance = Instance(**GOOD)
    expected = simulate("ucb1", instance, 10, replicates=2, seed=3, checkpoints=[4, 10]).pulls
    found = simulate(
        "ucb1",
        instance,
        np.int32(10),  # pyright: ignore[reportArgumentType]
        replicates=np.int64(2),  # pyright: ignore[reportArgumentType]
        seed=np.uint64(3),  # pyright: ignore[reportArgumentType]
        checkpoints=np.array([4, 10], dtype=np.uint16),  # pyright: ignore[reportArgumentType]
    ).pulls
    np.testing.assert_array_equal(found, expected)


def test_the_last_replicate_that_can_be_numbered() -> None:
    instance = Instance(**GOOD)
    last = MOST_ROUNDS - 1
    run = simulate("ucb1", instance, 30, replicates=1, first_replicate=last)
    played = trace("ucb1", instance, 30, replicate=last)
    assert run.pulls[0, -1].tolist() == np.bincount(played.arms).tolist()
