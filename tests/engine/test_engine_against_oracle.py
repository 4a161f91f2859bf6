"""The compiled engine pulls the arms that the plain-Python oracle pulls, round by round."""

import numpy as np
import pytest
from hypothesis import given, settings

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli, Deterministic, RewardFamily
from penalized_bandits.engine.jobs import MAX_LANES
from penalized_bandits.policies import POLICIES
from strategies import (
    FAMILIES,
    Request,
    assert_as_the_oracle,
    random_instance,
    random_tuning,
    requests,
)

# The oracle takes about 2 microseconds for each arm of each round.
ORACLE_BUDGET = 30_000


def some_replicates(request: Request) -> list[int]:
    """Return the replicates worth an oracle run: all that the budget allows, the last included."""
    cost = request.instance.n_arms * request.horizon
    step = max(1, request.replicates * cost // ORACLE_BUDGET)
    return sorted({*range(0, request.replicates, step), request.replicates - 1})


@settings(max_examples=50)
@given(requests())
def test_any_simulation(request: Request) -> None:
    assert_as_the_oracle(request, some_replicates(request))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_with_every_family(policy: str, family: str) -> None:
    rng = np.random.default_rng(FAMILIES.index(family))
    instance = random_instance(rng, family, 7, 3)
    tuning = random_tuning(rng, policy, 200)
    assert_as_the_oracle(Request(policy, instance, 200, 3, 11, tuning, "n"), [0, 1, 2])


@pytest.mark.parametrize("policy", POLICIES)
def test_several_chunks_and_padding_lanes(policy: str) -> None:
    replicates = 2 * MAX_LANES + 9
    rng = np.random.default_rng(replicates)
    instance = random_instance(rng, "gaussian", 5, replicates)
    tuning = random_tuning(rng, policy, 60)
    # Chunks hold 176, 176 and 169 replicates: check both sides of each seam.
    chosen = [0, 175, 176, 351, 352, replicates - 1]
    assert_as_the_oracle(Request(policy, instance, 60, replicates, 3, tuning, "n"), chosen)


@pytest.mark.parametrize("rewards", [Deterministic(), Bernoulli()])
@pytest.mark.parametrize("policy", POLICIES)
def test_ties_go_to_the_lowest_arm(policy: str, rewards: RewardFamily) -> None:
    for n_arms in (2, 5, 9):
        instance = Instance([0.5] * n_arms, 0.5 / n_arms, 0.25, rewards)
        tuning = random_tuning(np.random.default_rng(n_arms), policy, 120)
        assert_as_the_oracle(Request(policy, instance, 120, 4, 5, tuning, "n"), [0, 1, 2, 3])


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


@pytest.mark.parametrize("policy", POLICIES)
def test_fewer_rounds_than_arms(policy: str) -> None:
    rng = np.random.default_rng(8)
    for horizon in (1, 2, 9):
        instance = random_instance(rng, "gaussian", 10, 2)
        tuning = random_tuning(rng, policy, horizon)
        assert_as_the_oracle(Request(policy, instance, horizon, 2, 1, tuning, "n"), [0, 1])
