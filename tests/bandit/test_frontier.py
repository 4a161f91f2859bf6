"""The oracle frontier against linear programs, and above every allocation."""

import numpy as np
import pytest
from scipy.optimize import linprog

from penalized_bandits import oracle_frontier
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of


def random_problem(seed: int) -> tuple[FloatArray, FloatArray]:
    """Return means (R, K), ties among them, and fractions, zeros among them."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 5)), int(rng.integers(1, 9)))
    means = rng.random(shape) if rng.integers(2) else rng.integers(0, 4, shape) / 3
    fairness = rng.random(shape[1]) * (rng.random(shape[1]) < 0.8)
    return means, fairness * rng.choice([0.3, 0.999]) / max(fairness.sum(), 1e-9)


def best_reward(means: FloatArray, fairness: FloatArray, horizon: int, allowed: float) -> float:
    """Maximise the average reward of R allocations whose average unfairness is allowed."""
    n_rows, n_arms = means.shape
    size = n_rows * n_arms
    # Unknowns: x (R, K), then s (R, K) with s >= tau T - x, s >= 0.
    totals = np.kron(np.eye(n_rows), np.ones(n_arms))
    identity = np.eye(size)
    result = linprog(
        np.concatenate([-means.ravel() / n_rows, np.zeros(size)]),
        A_ub=np.vstack(
            [
                np.hstack([-identity, -identity]),
                np.concatenate([np.zeros(size), np.full(size, 1 / n_rows)])[None, :],
            ]
        ),
        b_ub=np.append(-np.tile(fairness * horizon, n_rows), allowed),
        A_eq=np.hstack([totals, np.zeros_like(totals)]),
        b_eq=np.full(n_rows, float(horizon)),
        method="highs",
    )
    assert result.status == 0, result.message
    return -float(result.fun)


@pytest.mark.parametrize("seed", range(12))
def test_frontier_is_that_of_the_linear_program(seed: int) -> None:
    means, fairness = random_problem(seed)
    frontier = oracle_frontier(instance_of(means, fairness), 1000)
    most = frontier.unfairness[-1]
    for allowed in (0.0, 0.1 * most, 0.5 * most, 0.9 * most, most, 2 * most + 1):
        expected = best_reward(means, fairness, 1000, allowed)
        # HiGHS is feasible to 1e-7 in each of up to 33 constraints, prices at most 1.
        assert frontier.reward_at(allowed) == pytest.approx(expected, abs=33 * 1e-7)


def test_corners() -> None:
    # mu = (1, 0.5, 0.75), levels (10, 20, 30) of 100: fair reward 100 - 10 - 7.5 = 82.5;
    # arm 2 (gap 0.5) first: +10 for 20, then arm 3: +7.5 for 30, then nothing for 10.
    frontier = oracle_frontier(instance_of([1.0, 0.5, 0.75], [0.1, 0.2, 0.3]), 100)
    np.testing.assert_allclose(frontier.unfairness, [0, 20, 50, 60])
    np.testing.assert_allclose(frontier.reward, [82.5, 92.5, 100, 100])
    assert frontier.reward_at(10) == pytest.approx(87.5)
    assert frontier.reward_at(1000) == 100
    np.testing.assert_allclose(frontier.reward_at(np.array([0.0, 35.0])), [82.5, 96.25])


def test_equal_rows_are_one_bandit() -> None:
    means = np.random.default_rng(3).random(4)
    many, vector = (
        oracle_frontier(instance_of(each, 0.2), 100) for each in (np.tile(means, (3, 1)), means)
    )
    np.testing.assert_array_equal(many.reward, vector.reward)
