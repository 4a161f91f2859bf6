"""The oracle frontier against linear programs, and above every allocation."""

import numpy as np
import pytest
from scipy.optimize import linprog

from penalized_bandits import oracle_frontier
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from strategies import fairness_fractions, random_means


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
