"""Regret of explore-then-commit on two arms, and its best lengths."""

import math

import numpy as np
import pytest

from penalized_bandits.theory.explore_then_commit import commit_regret, least_worst_regret

T = 2000


def test_limits() -> None:
    # No gap, no regret; with T/2 pulls of each arm nothing is left to commit.
    assert commit_regret(0.0, 10, T) == 0
    assert commit_regret(0.3, T / 2, T) == pytest.approx(0.3 * T / 2)
    # A gap that is seen at once costs the exploration.
    assert commit_regret(1.0, 100, T) == pytest.approx(100)


@pytest.mark.parametrize(("gap", "length"), [(0.05, 50), (0.1, 100), (0.3, 20)])
def test_regret_as_simulated(gap: float, length: int) -> None:
    runs = 4000
    generator = np.random.default_rng(3)
    drawn = generator.normal([0.5 + gap, 0.5], 0.5, (runs, length, 2)).mean(axis=1)
    wrong = drawn[:, 1] > drawn[:, 0]
    regret = gap * (length + wrong * (T - 2 * length))
    error = regret.std(ddof=1) / math.sqrt(runs)
    assert abs(regret.mean() - commit_regret(gap, length, T)) < 4 * error


@pytest.mark.parametrize("horizon", [1e4, 1e6])
def test_no_length_has_a_smaller_worst_regret(horizon: float) -> None:
    worst, length = least_worst_regret(horizon)
    gaps = np.linspace(0.001, 1, 3000)
    for other in (length / 1.3, length, length * 1.3):
        assert commit_regret(gaps, other, horizon).max() > 0.98 * worst
    # About 0.24 T^(2/3): m = 0.12 T/sqrt(m).
    assert worst == pytest.approx(0.24 * horizon ** (2 / 3), rel=0.1)
