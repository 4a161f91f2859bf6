"""Arms that sleep and batches, in the plain loop."""

from typing import Any

import numpy as np
import pytest

from penalized_bandits import Bernoulli, Instance
from penalized_bandits.engine.schedule import Schedule, simulate_schedule
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.policies import POLICIES

BANDIT = Instance([0.9, 0.6, 0.3], [0.1, 0.2, 0.3], [1.0, 1.0, 0.25], Bernoulli())
THERE = np.random.default_rng(3).random((400, 3)) < 0.7
THERE[:, 0] |= ~THERE.any(axis=1)


def scheduled(schedule: Schedule, policy: str = "hard_threshold_ucb") -> Simulation:
    rule = POLICIES[policy]
    return simulate_schedule(
        schedule,
        rule,
        BANDIT,
        (100, 400),
        replicates=3,
        first_replicate=0,
        seed=5,
        stream=(),
        tuning=rule.published_tuning(BANDIT.n_arms, 400),
        log_of="n",
        progress=None,
    )


@pytest.mark.parametrize("policy", ["hard_threshold_ucb", "thompson_beta_hard_threshold"])
def test_without_sleep_and_batches_it_is_simulate(policy: str) -> None:
    ours = scheduled(Schedule(), policy)
    how: Any = {"checkpoints": (100, 400), "engine": "plain"}
    theirs = simulate_part(policy, BANDIT, 400, replicates=3, seed=5, **how)
    np.testing.assert_array_equal(ours.pulls, theirs.pulls)
    np.testing.assert_allclose(ours.max_deficits, theirs.max_deficits, rtol=1e-12)
    np.testing.assert_allclose(ours.reward_sums, theirs.reward_sums, rtol=1e-12)


@pytest.mark.parametrize("policy", POLICIES)
def test_rewards_of_a_batch_are_not_known_within_it(policy: str) -> None:
    first = scheduled(Schedule(batch=100), policy).pulls[:, 0]
    assert (first.sum(axis=1) == 100).all()
    assert (first > 0).all()
    assert POLICIES[policy].draws or (first == first[0]).all()


def test_floors_grow_as_declared() -> None:
    always, available = Schedule(), Schedule(available=THERE, accrual="available")
    np.testing.assert_array_equal(always.owed(BANDIT.fairness, 400)[-1], 400 * BANDIT.fairness)
    owed = available.owed(BANDIT.fairness, 400)[-1]
    np.testing.assert_allclose(owed, THERE.sum(axis=0) * BANDIT.fairness)
    # Arm 3 is worth no penalty; the floors of the others are kept but for a pull or two.
    assert scheduled(available).max_deficits[:, -1, :2].max() < 3
