"""Arms that sleep and batches, in the plain loop."""

from typing import Any

import numpy as np
import pytest

from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.simulation import Schedule
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import POLICIES
from strategies import SLEEPERS, THERE, scheduled


@pytest.mark.parametrize("policy", ["hard_threshold_ucb", "thompson_beta_hard_threshold"])
def test_without_sleep_and_batches_it_is_simulate(policy: str) -> None:
    ours = scheduled(Schedule(), policy)
    how: Any = {"checkpoints": (100, 400), "engine": "plain"}
    theirs = simulate_part(policy, SLEEPERS, 400, replicates=3, stream=Stream(5), **how)
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
    np.testing.assert_array_equal(always.owed(SLEEPERS.fairness, 400)[-1], 400 * SLEEPERS.fairness)
    owed = available.owed(SLEEPERS.fairness, 400)[-1]
    np.testing.assert_allclose(owed, THERE.sum(axis=0) * SLEEPERS.fairness)
    # Arm 3 is worth no penalty; the floors of the others are kept but for a pull or two.
    assert scheduled(available).max_deficits[:, -1, :2].max() < 3
