"""Penalized regret: eq. (9), (10) and the facts of section 2."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bandit_factories import random_problem
from penalized_bandits.bandit.regret import (
    expected_reward,
    gaps,
    loss,
    optimal_loss,
    penalized_regret,
    shortfall,
    unfairness,
)
from penalized_bandits.claims.paper.sections_2_3 import prophet_loss_by_program
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of

# Sums of K <= 40 terms of the size of T times the largest rate, each with a few roundings.
ROUNDING = 100 * np.finfo(float).eps


def random_allocations(seed: int, n_arms: int, rows: int) -> Any:
    """Draw pulls of all kinds of lopsidedness, 2000 in all in each row."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_arms, rng.choice([0.05, 0.5, 5.0])), rows)
    return np.stack([rng.multinomial(2000, share) for share in shares])


@pytest.mark.parametrize("seed", range(15))
def test_optimal_loss_is_that_of_the_linear_program(seed: int) -> None:
    means, fairness, penalties = random_problem(seed, 20)
    for horizon in (1.0, 5000.0):
        expected = prophet_loss_by_program(instance_of(means, fairness, penalties), horizon)
        ours = float(optimal_loss(means, fairness, penalties, horizon))
        assert abs(ours - expected) < 1e-9 * horizon


@given(st.integers(0, 2**32 - 1))
def test_regret_is_never_negative(seed: int) -> None:
    means, fairness, penalties = random_problem(seed, 20)
    pulls = random_allocations(seed, len(means), 20)
    regret = penalized_regret(pulls, means, fairness, penalties)
    scale = 2000 * max(1.0, penalties.max())
    assert (regret >= -ROUNDING * scale).all()


# T = 100, mu = (0.9, 0.7, 0.2), gaps (0, 0.2, 0.7), tau T = (20, 30, 25), A = (0.5, 0.4, 0.3):
# arm 1 optimal, arm 2 critical, arm 3 non-critical.
EXAMPLE = {
    "means": np.array([0.9, 0.7, 0.2]),
    "fairness": np.array([0.2, 0.3, 0.25]),
    "penalties": np.array([0.5, 0.4, 0.3]),
}


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
    counts = np.array(pulls)
    assert penalized_regret(counts, **EXAMPLE) == pytest.approx(sum(by_arm), abs=1e-12)
    # L* = 100 (0.2 * 0.3 + 0.3 * 0.25) = 13.5
    assert optimal_loss(**EXAMPLE, horizon=100) == pytest.approx(13.5)
    assert loss(counts, **EXAMPLE) == pytest.approx(13.5 + sum(by_arm))


def test_example_of_unfairness_and_reward() -> None:
    counts = np.array([[85, 10, 5], [15, 50, 35]])
    fairness, means = EXAMPLE["fairness"], EXAMPLE["means"]
    assert shortfall(counts, fairness, 100).tolist() == [[0.0, 20.0, 20.0], [5.0, 0.0, 0.0]]
    assert unfairness(counts, fairness, 100).tolist() == [40.0, 5.0]
    # 0.9 * 85 + 0.7 * 10 + 0.2 * 5 = 84.5;  0.9 * 15 + 0.7 * 50 + 0.2 * 35 = 55.5
    np.testing.assert_allclose(expected_reward(counts, means), [84.5, 55.5])
    np.testing.assert_allclose(gaps(means), [0.0, 0.2, 0.7])


@pytest.mark.parametrize(
    "function", [penalized_regret, loss, optimal_loss, shortfall, unfairness, expected_reward]
)
def test_lists_are_taken(function: Callable[..., FloatArray]) -> None:
    pulls = {"pulls": np.array([[85, 10, 5], [15, 50, 35]])}
    asked = inspect.signature(function).parameters
    arrays = {name: value for name, value in (EXAMPLE | pulls).items() if name in asked}
    horizon = {"horizon": 100} if "horizon" in asked else {}
    lists = {name: value.tolist() for name, value in arrays.items()}
    np.testing.assert_array_equal(function(**lists, **horizon), function(**arrays, **horizon))


def test_broadcasting() -> None:
    rng = np.random.default_rng(0)
    replicates, checkpoints, n_arms = 4, 3, 5
    horizons = np.array([10, 100, 1000])
    pulls = np.stack(
        [rng.multinomial(t, np.full(n_arms, 1 / n_arms), replicates) for t in horizons], axis=1
    )
    means, penalties = rng.random((2, replicates, n_arms))
    fairness = np.full(n_arms, 0.15)
    both = (means[:, None, :], fairness, penalties[:, None, :])
    regret = penalized_regret(pulls, *both)
    short = shortfall(pulls, fairness, horizons[:, None])
    assert regret.shape == (replicates, checkpoints)
    assert short.shape == pulls.shape
    for r in range(replicates):
        for c in range(checkpoints):
            one = (means[r], fairness, penalties[r])
            assert regret[r, c] == penalized_regret(pulls[r, c], *one)
            np.testing.assert_array_equal(
                short[r, c], shortfall(pulls[r, c], fairness, float(horizons[c]))
            )


def test_counts_of_the_engine_do_not_overflow() -> None:
    # The engine counts in 32 bits: a billion pulls on each of four arms are too many to add
    # up in them.
    pulls = np.full((1, 4), 10**9, dtype=np.int32)
    regret = penalized_regret(pulls, np.array([1.0, 0.5, 0.5, 0.5]), np.full(4, 0.2), np.zeros(4))
    assert regret.tolist() == [1.5e9]
