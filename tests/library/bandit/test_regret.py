"""Penalized regret and the oracle frontier: eq. (9), (10), section 2, and linear programs."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from penalized_bandits import BanditError, Deterministic, Instance, oracle_frontier
from penalized_bandits.bandit.regret import (
    expected_reward,
    loss,
    optimal_loss,
    penalized_regret,
    shortfall,
    unfairness,
)
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from strategies import fairness_fractions, random_means

OF_PULLS = [penalized_regret, loss, shortfall, unfairness, expected_reward]

# T = 100, mu = (0.9, 0.7, 0.2), gaps (0, 0.2, 0.7), tau T = (20, 30, 25), A = (0.5, 0.4, 0.3):
# arm 1 optimal, arm 2 critical, arm 3 non-critical.
EXAMPLE = instance_of([0.9, 0.7, 0.2], [0.2, 0.3, 0.25], [0.5, 0.4, 0.3])


@pytest.mark.parametrize(
    ("pulls", "by_arm"),
    [
        # 0 | 0.2 (10 - 30) + 0.4 * 20 = 4 | 0.7 * 5 + 0.3 (20 - 25) = 2
        ([85, 10, 5], [0.0, 4.0, 2.0]),
        # 0.5 * 5 = 2.5 | 0.2 * 20 = 4 | 0.7 * 35 - 0.3 * 25 = 17
        ([15, 50, 35], [2.5, 4.0, 17.0]),
        ([70, 30, 0], [0.0, 0.0, 0.0]),
    ],
)
def test_example(pulls: list[int], by_arm: list[float]) -> None:
    assert penalized_regret(pulls, EXAMPLE) == pytest.approx(sum(by_arm), abs=1e-12)
    # L* = 100 (0.2 * 0.3 + 0.3 * 0.25) = 13.5
    assert optimal_loss(EXAMPLE, 100) == pytest.approx(13.5)
    assert loss(pulls, EXAMPLE) == pytest.approx(13.5 + sum(by_arm))


@pytest.mark.parametrize("varying", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("front", [(4,), (4, 3), (4, 4), (4, 2, 3)])
@pytest.mark.parametrize("function", OF_PULLS)
def test_each_replicate_meets_its_own_bandit(
    function: Callable[..., FloatArray], front: tuple[int, ...], varying: tuple[bool, bool]
) -> None:
    """Also where there are as many checkpoints as replicates; with its own price."""
    bandit = partial(Instance, rewards=Deterministic(), ceilings=0.22, excess_penalties=0.4)
    rng, n_arms = np.random.default_rng(0), 5
    means, rates = (rng.random((4, n_arms) if own else n_arms) for own in varying)
    pulls = rng.multinomial(1000, np.full(n_arms, 0.2), front)
    found = function(pulls, bandit(means, 0.15, rates))
    for r, counts in enumerate(pulls):
        mu, own = (values if values.ndim == 1 else values[r] for values in (means, rates))
        np.testing.assert_array_equal(found[r], function(counts, bandit(mu, 0.15, own)))
    assert found.shape == (*front, n_arms)[: len(front) + (function is shortfall)]


def test_the_least_loss_of_each_replicate_and_horizon() -> None:
    means = np.array([[0.9, 0.5], [0.5, 0.4]])
    found = optimal_loss(instance_of(means, 0.2, 0.3), [10, 100, 1000])
    np.testing.assert_allclose(found, np.outer([0.06, 0.02], [10, 100, 1000]))
    assert optimal_loss(instance_of(means[0], 0.2, 0.3), [[10], [20]]).shape == (2, 1)


@pytest.mark.parametrize("function", OF_PULLS)
@pytest.mark.parametrize(
    ("pulls", "culprit"),
    [
        (np.ones(3), r"pulls has shape \(3,\): for this instance it must be \(4, ..., 3\)"),
        (np.ones((3, 4, 3)), r"shape \(3, 4, 3\)"),
        (np.ones((4, 2)), r"shape \(4, 2\)"),
        (1, r"shape \(\)"),
        (-np.ones((4, 3)), "pulls holds -1"),
    ],
)
def test_pulls_of_other_bandits_are_refused(
    function: Callable[..., FloatArray], pulls: Any, culprit: str
) -> None:
    with pytest.raises(BanditError, match=culprit):
        function(pulls, instance_of(np.full((4, 3), 0.5), 0.1, 0.2))


def test_counts_of_the_engine_do_not_overflow() -> None:
    # The engine counts in 32 bits: a billion pulls on each of four arms are too many to add
    # up in them.
    pulls = np.full((1, 4), 10**9, dtype=np.int32)
    assert penalized_regret(pulls, instance_of([1.0, 0.5, 0.5, 0.5], 0.2)).tolist() == [1.5e9]


def best_reward(means: FloatArray, fairness: FloatArray, horizon: int, allowed: float) -> float:
    """Maximise the average reward of R allocations whose average unfairness is allowed."""
    n_rows, n_arms = means.shape
    size = n_rows * n_arms
    # Unknowns: x (R, K), then s (R, K) with s >= tau T - x, s >= 0.
    zeros, identity = np.zeros((1, size)), np.eye(size)
    result = linprog(
        np.block([-means.ravel() / n_rows, zeros[0]]),
        A_ub=np.block([[-identity, -identity], [zeros, zeros + 1 / n_rows]]),
        b_ub=np.append(-np.tile(fairness * horizon, n_rows), allowed),
        A_eq=np.kron(np.eye(n_rows, 2 * n_rows), np.ones(n_arms)),
        b_eq=np.full(n_rows, float(horizon)),
    )
    assert result.status == 0, result.message
    return -float(result.fun)


@pytest.mark.parametrize("seed", range(12))
def test_frontier_is_that_of_the_linear_program(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 5)), int(rng.integers(1, 9))
    means, fairness = random_means(rng, shape), fairness_fractions(rng, shape[1])
    frontier = oracle_frontier(instance_of(means, fairness), 1000)
    most = frontier.unfairness[-1]
    for allowed in (0.0, 0.1 * most, 0.5 * most, 0.9 * most, most, 2 * most + 1):
        expected = best_reward(means, fairness, 1000, allowed)
        # HiGHS is feasible to 1e-7 in each of up to 33 constraints, prices at most 1.
        assert frontier.reward_at(allowed) == pytest.approx(expected, abs=33 * 1e-7)
